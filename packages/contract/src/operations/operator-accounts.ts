import { Type } from 'typebox';
import * as Accounts from '../accounts/accounts.ts';
import * as Books from '../accounts/books.ts';
import * as Clients from '../accounts/clients.ts';
import * as Requests from '../accounts/requests.ts';
import * as Statements from '../accounts/statements.ts';
import { AcceptHeaders, PagingQuery } from '../lists.ts';
import * as Approvals from '../operators/approvals.ts';
import * as Sandbox from '../sandbox/sandbox.ts';
import * as Events from '../webhooks/events.ts';
import * as Webhooks from '../webhooks/webhooks.ts';
import {
  accepted,
  created,
  cursorList,
  NO_CONTENT,
  ok,
  operatorRows,
  pages,
  pagesOrCursorPages,
} from './builders.ts';
import * as Members from './members.ts';

const accounts = operatorRows('Operator: accounts', 'administer');

const BOOKING = {
  permission: 'finance',
  hasPreview: true,
  mayNeedApproval: true,
  responses: { ...created(Statements.StatementLine), ...accepted(Approvals.Approval) },
  errors: ['conflict'],
} as const;

export const ACCOUNT_OPERATIONS = {
  getClientCheckup: accounts.read('/admin/v1/clients/{clientId}/checkup', {
    isSandboxOnly: true,
    summary: "Get the check-up of a reseller's client",
    description:
      'The same check-up as for the reseller. It also probes the webhook endpoints of the account.',
    query: Sandbox.CheckupQuery,
    responses: ok(Sandbox.Checkup),
  }),
  createAccount: accounts.post('/admin/v1/accounts', {
    summary: 'Create an account',
    description:
      'An account without a payment method can read but not order. An account also needs a client: create one next. Send an Idempotency-Key to make a retry safe: without one, a retry creates another account.',
    body: Accounts.AccountCreateBody,
    responses: created(Accounts.Account),
  }),
  listAccounts: accounts.read('/admin/v1/accounts', {
    summary: 'List accounts',
    description:
      'Oldest first by default. Uses page numbers with a total, or a cursor: `query`, `status` and `sort` require the cursor.',
    query: Accounts.AccountsQuery,
    responses: pagesOrCursorPages(Accounts.Account),
  }),
  getAccount: accounts.read('/admin/v1/accounts/{accountId}', {
    summary: 'Get an account',
    description: 'With its status, payment method, balance and limits.',
    responses: ok(Accounts.Account),
  }),
  updateAccount: accounts.patch('/admin/v1/accounts/{accountId}', {
    summary: 'Change an account',
    description: 'Missing members stay unchanged; null removes a value.',
    body: Accounts.AccountPatchBody,
    responses: ok(Accounts.Account),
    errors: ['conflict'],
  }),
  createClient: accounts.post('/admin/v1/accounts/{accountId}/clients', {
    givesAccess: true,
    summary: 'Create a client of an account',
    description:
      'The secret is shown once. Send an Idempotency-Key to make a retry safe: without one, a retry creates another client.',
    body: Clients.ClientCreateBody,
    responses: created(Clients.ClientCredentials),
    errors: ['conflict'],
  }),
  listClients: accounts.read('/admin/v1/accounts/{accountId}/clients', {
    summary: 'List the clients of an account',
    description: 'Includes disabled clients. Secrets are never shown.',
    query: PagingQuery,
    responses: pages(Clients.Client),
  }),
  listAllClients: accounts.read('/admin/v1/clients', {
    summary: 'List the clients of all accounts and of operators',
    description: 'Includes disabled clients. Secrets are never shown.',
    ...cursorList(Clients.ClientsQuery, Clients.ListedClient),
  }),
  updateClient: accounts.patch('/admin/v1/clients/{clientId}', {
    givesAccess: true,
    summary: "Change a client's allowed addresses or an operator client's role",
    description:
      'Missing members stay unchanged. A change takes effect within 5 seconds on every node: from other addresses, the client gets no token, and its tokens are rejected. A list without your own address locks you out.',
    body: Clients.ClientPatchBody,
    responses: ok(Clients.Client),
    errors: ['conflict'],
  }),
  createOperatorClient: accounts.post('/admin/v1/clients', {
    givesAccess: true,
    summary: 'Create an operator client',
    description: 'For a program that operates the service. The secret is shown only here.',
    body: Clients.OperatorClientBody,
    responses: created(Clients.ClientCredentials),
  }),
  createClientSecret: accounts.post('/admin/v1/clients/{clientId}/secrets', {
    givesAccess: true,
    summary: 'Add a second secret to a client',
    description:
      'Both secrets work; a third retires the oldest. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret, which may retire the one in use. A client adds a secret to itself only with a token that is at most 5 minutes old.',
    responses: created(Clients.ClientCredentials),
    errors: ['conflict'],
  }),
  enableClient: accounts.post('/admin/v1/clients/{clientId}/enable', {
    givesAccess: true,
    summary: 'Enable a disabled client',
    description:
      'Its earlier secrets and its unexpired tokens work again. If its secret leaked, create a new client instead. A client that is not disabled stays unchanged.',
    responses: ok(Clients.Client),
    errors: ['conflict'],
  }),
  disableClient: accounts.delete('/admin/v1/clients/{clientId}', {
    summary: 'Disable a client',
    description: 'Its tokens are rejected within 5 seconds on every node.',
    responses: NO_CONTENT,
  }),
  listAccountMembers: accounts.read('/admin/v1/accounts/{accountId}/members', {
    ...Members.LIST,
    permission: 'administer',
    description: 'The people of the account who can sign in to the portal, oldest first.',
  }),
  createAccountMember: accounts.post('/admin/v1/accounts/{accountId}/members', Members.CREATE),
  updateAccountMember: accounts.patch('/admin/v1/accounts/{accountId}/members/{memberId}', Members.UPDATE),
  inviteAccountMember: accounts.post(
    '/admin/v1/accounts/{accountId}/members/{memberId}/invite',
    Members.INVITE,
  ),
  resetAccountMemberCredentials: accounts.post(
    '/admin/v1/accounts/{accountId}/members/{memberId}/reset-credentials',
    Members.RESET,
  ),
  createDeposit: accounts.post('/admin/v1/accounts/{accountId}/deposits', {
    ...BOOKING,
    summary: 'Book a deposit',
    description:
      'A duplicate reference returns the first deposit with 200, or a conflict if the amount differs.',
    body: Statements.DepositOrPayoutBody,
  }),
  createAdjustment: accounts.post('/admin/v1/accounts/{accountId}/adjustments', {
    ...BOOKING,
    summary: 'Correct a balance',
    description:
      'A booking never changes: a correction is a separate booking. A debit cannot exceed the balance. A duplicate reference returns the first adjustment with 200, or a conflict if anything differs.',
    body: Statements.AdjustmentBody,
  }),
  createPayout: accounts.post('/admin/v1/accounts/{accountId}/payouts', {
    ...BOOKING,
    summary: 'Book a payout',
    description:
      'Books money that was paid out to the reseller from the balance, at most the whole balance. A duplicate reference returns the first payout with 200, or a conflict if the amount differs.',
    body: Statements.DepositOrPayoutBody,
  }),
  listAccountRequests: accounts.read('/admin/v1/accounts/{accountId}/requests', {
    summary: 'List the logged requests of an account',
    description:
      'Every write and every rejected or failed request of the reseller, newest first, for 7 days. Codes, secrets and tokens are masked.',
    query: Requests.RequestsQuery,
    responses: { 200: Requests.LoggedRequests },
  }),
  listAccountRequestCounts: accounts.read('/admin/v1/accounts/{accountId}/requests/counts', {
    summary: 'Count the successful reads of an account',
    description: 'By minute and operation, oldest first, for 7 days.',
    query: Requests.RequestCountsQuery,
    responses: ok(Type.Array(Requests.RequestCount)),
  }),
  listAccountWebhookEndpoints: accounts.read('/admin/v1/accounts/{accountId}/webhook-endpoints', {
    summary: 'List the webhook endpoints of an account',
    description: 'Oldest first; disabled ones with the reason. Secrets are never shown.',
    responses: ok(Type.Array(Webhooks.WebhookEndpoint)),
  }),
  getAccountWebhookEndpoint: accounts.read('/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}', {
    summary: 'Get a webhook endpoint of an account',
    description: 'The same endpoint as for the reseller.',
    responses: ok(Webhooks.WebhookEndpoint),
  }),
  listAccountWebhookDeliveries: accounts.read(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries',
    {
      summary: 'List the deliveries to a webhook endpoint of an account',
      description:
        "The same deliveries as for the reseller, plus the non-public address to which the endpoint's host resolved.",
      query: Webhooks.WebhookDeliveriesQuery,
      responses: pages(Webhooks.OperatorWebhookDelivery),
    },
  ),
  listAllWebhookEndpoints: accounts.read('/admin/v1/webhook-endpoints', {
    summary: 'List the webhook endpoints of all accounts',
    description: 'With the reason for disabled ones, and the numbers of pending and failed deliveries.',
    ...cursorList(Webhooks.WebhookEndpointsQuery, Webhooks.ListedWebhookEndpoint),
  }),
  updateAccountWebhookEndpoint: accounts.patch(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}',
    {
      summary: 'Disable or enable a webhook endpoint of an account',
      description:
        'Events that occur while the endpoint is disabled are not sent later: the reseller can replay them. The reseller cannot enable an endpoint that an operator disabled.',
      body: Webhooks.WebhookStatusBody,
      responses: ok(Webhooks.WebhookEndpoint),
    },
  ),
  testAccountWebhookEndpoint: accounts.post(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/test',
    {
      summary: 'Send a test event to a webhook endpoint of an account',
      description: 'Sends a `webhook.test` event to this endpoint, whichever types it receives.',
      responses: accepted(Webhooks.WebhookTest),
      errors: ['conflict'],
    },
  ),
  getAccountEvent: accounts.read('/admin/v1/accounts/{accountId}/events/{eventId}', {
    summary: 'Get an event of an account',
    description: 'In the form in which its webhook endpoints receive it. An event is kept for 30 days.',
    responses: { 200: Events.OneEvent },
  }),
  redeliverAccountWebhook: accounts.post(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    {
      summary: 'Send a webhook delivery of an account again',
      description:
        'Sends the delivery immediately, whatever its status, with the same retries as the first time.',
      responses: accepted(Webhooks.WebhooksQueued),
      errors: ['conflict'],
    },
  ),
  getStatement: accounts.read('/admin/v1/accounts/{accountId}/statement', {
    summary: 'Get the statement of an account',
    description:
      'Every movement of the prepaid balance from createdAtFrom to createdAtTo, both inclusive, and the balance after it; oldest first unless `sort` is DESC. `Accept: text/csv` returns the whole range as a CSV file: the first record is the opening balance, the last one the closing balance.',
    query: Statements.StatementQuery,
    headers: AcceptHeaders,
    responses: { 200: Statements.StatementPage },
    csvExample:
      'number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n,,,opening,,0.00,,,\r\n1,17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7,\r\n,,,closing,,250.00,,,\r\n',
  }),
  listStatements: accounts.read('/admin/v1/books/statements', {
    permission: 'internal',
    isHeavy: true,
    summary: 'List the statements of all accounts',
    description:
      'The opening and closing balances of every account, and the sums in between, sorted by account name; both ends of the range are included. `Accept: text/csv` returns every movement as a CSV file: the first record of an account is its opening balance, the last one its closing balance; the last record of the file is the total. The file omits accounts that have neither a balance nor a movement.',
    ...cursorList(Statements.StatementsQuery, Statements.AccountStatement),
    headers: AcceptHeaders,
    csvExample:
      'accountId,accountName,number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,,,,opening,,0.00,,,\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,1,17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7,\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,,,,closing,,250.00,,,\r\n,,,,,total,250.00,250.00,,,\r\n',
  }),
  getTrialBalance: accounts.read('/admin/v1/books', {
    permission: 'internal',
    isHeavy: true,
    summary: 'Get the trial balance',
    description:
      'The movements and the balance of every ledger account at a point in time (default: now), the house accounts first. The balances add up to zero.',
    query: Books.TrialBalanceQuery,
    responses: ok(Books.TrialBalance),
  }),
  getDailyBooks: accounts.read('/admin/v1/books/daily', {
    permission: 'internal',
    isHeavy: true,
    summary: 'Get the daily books',
    description: 'The bookings of each UTC day, at most 400 days. `Accept: text/csv` returns a CSV file.',
    query: Books.DaysQuery,
    headers: AcceptHeaders,
    responses: ok(Books.DailyBooks),
    csvExample:
      'date,deposits,charges,gatewayCharges,refunds,gatewayRefunds,adjustments,payouts,prepaidBalance\r\n2026-11-21,250.00,12.30,0.00,0.00,0.00,0.00,0.00,237.70\r\n',
  }),
  getSellerSales: accounts.read('/admin/v1/books/sellers', {
    permission: 'internal',
    isHeavy: true,
    summary: 'Get the sales by seller',
    description:
      'Charges and refunds by the seller of the order, for at most 400 UTC days. `Accept: text/csv` returns a CSV file.',
    query: Books.DaysQuery,
    headers: AcceptHeaders,
    responses: ok(Books.SellerSales),
    csvExample:
      'sellerId,sellerName,orders,turnover,refunds,net\r\n7f1d0c52-2f0e-4a53-8f43-0e1f6f9b0a01,Key Cellar,2,24.60,12.30,12.30\r\n',
  }),
} as const;
