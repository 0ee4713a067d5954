/** Operators: accounts, their clients, books and webhook endpoints. */
import { Type } from 'typebox';
import { Account, AccountCreateBody, AccountPatchBody, AccountsQuery } from '../accounts/accounts.ts';
import { AdjustmentBody, DepositBody, PayoutBody } from '../accounts/bookings.ts';
import { DailyBooks, DaysQuery, SellerSales, TrialBalance, TrialBalanceQuery } from '../accounts/books.ts';
import {
  Client,
  ClientCreateBody,
  ClientCredentials,
  ClientPatchBody,
  ClientsQuery,
  ListedClient,
  OperatorClientBody,
} from '../accounts/clients.ts';
import {
  AccountStatement,
  StatementLine,
  StatementPage,
  StatementQuery,
  StatementsQuery,
} from '../accounts/statements.ts';
import { PagingQuery, StatementHeaders } from '../lists.ts';
import { Approval } from '../operators/approvals.ts';
import { Checkup, CheckupQuery } from '../sandbox/sandbox.ts';
import {
  ListedWebhookEndpoint,
  OperatorWebhookDelivery,
  WebhookDeliveriesQuery,
  WebhookEndpoint,
  WebhookEndpointsQuery,
  WebhookStatusBody,
  WebhooksQueued,
} from '../webhooks/webhooks.ts';
import {
  accepted,
  created,
  cursorPages,
  NO_CONTENT,
  ok,
  operatorRows,
  pages,
  pagesOrCursorPages,
} from './builders.ts';

const accounts = operatorRows('Operator: accounts');

export const ACCOUNT_OPERATIONS = {
  getClientCheckup: accounts.read('/admin/v1/clients/{clientId}/checkup', {
    isSandboxOnly: true,
    summary: "Get a judgement of a reseller's client",
    description: 'As the reseller gets it. The webhook endpoints of its account are tried for it.',
    query: CheckupQuery,
    responses: ok(Checkup),
  }),
  createAccount: accounts.post('/admin/v1/accounts', {
    permission: 'administer',
    summary: 'Create an account',
    description:
      'An account without a payment method can read and cannot order. Its programs need a client: create one next. Send an Idempotency-Key to make a retry safe: without one, a retry creates another account.',
    body: AccountCreateBody,
    responses: created(Account),
  }),
  listAccounts: accounts.read('/admin/v1/accounts', {
    summary: 'List accounts',
    description:
      'By creation time, oldest first, unless `sort` says otherwise. With page numbers and a total, or by cursor: `query`, `status` and `sort` need the cursor.',
    query: AccountsQuery,
    responses: pagesOrCursorPages(Account),
  }),
  getAccount: accounts.read('/admin/v1/accounts/{accountId}', {
    summary: 'Get an account',
    description: 'With its status, payment method, balance and limits.',
    responses: ok(Account),
  }),
  updateAccount: accounts.patch('/admin/v1/accounts/{accountId}', {
    permission: 'administer',
    summary: 'Change an account',
    description: 'Only the fields that are given change. Null takes a value away.',
    body: AccountPatchBody,
    responses: ok(Account),
    errors: ['conflict'],
  }),
  createClient: accounts.post('/admin/v1/accounts/{accountId}/clients', {
    permission: 'administer',
    summary: 'Create a client of an account',
    description:
      'The secret is shown once. Send an Idempotency-Key to make a retry safe: without one, a retry creates another client.',
    body: ClientCreateBody,
    responses: created(ClientCredentials),
    errors: ['conflict'],
  }),
  listClients: accounts.read('/admin/v1/accounts/{accountId}/clients', {
    summary: 'List the clients of an account',
    description: 'Disabled ones too. Secrets are never shown.',
    query: PagingQuery,
    responses: pages(Client),
  }),
  listAllClients: accounts.read('/admin/v1/clients', {
    summary: 'List the clients of all accounts and of operators',
    description: 'Disabled ones too. Secrets are never shown.',
    query: ClientsQuery,
    responses: cursorPages(ListedClient),
  }),
  updateClient: accounts.patch('/admin/v1/clients/{clientId}', {
    permission: 'administer',
    summary: "Say where a client may call from, and what an operator's may do",
    description:
      'What is left out stays. It counts within 5 seconds on every node: from any other address the client gets no token, and its tokens are rejected. A list that your own client does not fit locks you out.',
    body: ClientPatchBody,
    responses: ok(Client),
    errors: ['conflict'],
  }),
  createOperatorClient: accounts.post('/admin/v1/clients', {
    permission: 'administer',
    summary: 'Create a client of an operator',
    description: 'For a program that operates the service. The secret is shown here only.',
    body: OperatorClientBody,
    responses: created(ClientCredentials),
  }),
  createClientSecret: accounts.post('/admin/v1/clients/{clientId}/secrets', {
    permission: 'administer',
    summary: 'Give a client a second secret',
    description:
      'Both secrets work; a third retires the oldest. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret, which may retire the one in use.',
    responses: created(ClientCredentials),
    errors: ['conflict'],
  }),
  enableClient: accounts.post('/admin/v1/clients/{clientId}/enable', {
    permission: 'administer',
    summary: 'Enable a disabled client again',
    description:
      'With the secrets that it had, and with its tokens that have not expired. A client whose secret leaked is better replaced by a new one. A client that is not disabled stays as it is.',
    responses: ok(Client),
    errors: ['conflict'],
  }),
  disableClient: accounts.delete('/admin/v1/clients/{clientId}', {
    permission: 'administer',
    summary: 'Disable a client',
    description: 'Its tokens are rejected within 5 seconds on every node.',
    responses: NO_CONTENT,
  }),
  createDeposit: accounts.post('/admin/v1/accounts/{accountId}/deposits', {
    permission: 'finance',
    hasPreview: true,
    mayNeedApproval: true,
    summary: 'Book a deposit',
    description:
      'The same reference again answers the first deposit with 200; with another amount it is a conflict.',
    body: DepositBody,
    responses: { ...created(StatementLine), ...accepted(Approval) },
    errors: ['conflict'],
  }),
  createAdjustment: accounts.post('/admin/v1/accounts/{accountId}/adjustments', {
    permission: 'finance',
    hasPreview: true,
    mayNeedApproval: true,
    summary: 'Correct a balance',
    description:
      'What is booked is never changed: a correction is a booking of its own. It cannot take more than the balance. The same reference again answers the first adjustment with 200; with anything else different it is a conflict.',
    body: AdjustmentBody,
    responses: { ...created(StatementLine), ...accepted(Approval) },
    errors: ['conflict'],
  }),
  createPayout: accounts.post('/admin/v1/accounts/{accountId}/payouts', {
    permission: 'finance',
    hasPreview: true,
    mayNeedApproval: true,
    summary: 'Book a payout',
    description:
      'Money of the balance that was sent back to the reseller; at most the balance. The same reference again answers the first payout with 200; with another amount it is a conflict.',
    body: PayoutBody,
    responses: { ...created(StatementLine), ...accepted(Approval) },
    errors: ['conflict'],
  }),
  listAccountWebhookEndpoints: accounts.read('/admin/v1/accounts/{accountId}/webhook-endpoints', {
    summary: 'List the webhook endpoints of an account',
    description: 'Oldest first, with why one is disabled. Secrets are never shown.',
    responses: ok(Type.Array(WebhookEndpoint)),
  }),
  getAccountWebhookEndpoint: accounts.read('/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}', {
    summary: 'Get a webhook endpoint of an account',
    description: 'As its reseller sees it.',
    responses: ok(WebhookEndpoint),
  }),
  listAccountWebhookDeliveries: accounts.read(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries',
    {
      summary: 'List the deliveries to a webhook endpoint of an account',
      description: 'As its reseller sees them, with the address of a host that is not public.',
      query: WebhookDeliveriesQuery,
      responses: pages(OperatorWebhookDelivery),
    },
  ),
  listAllWebhookEndpoints: accounts.read('/admin/v1/webhook-endpoints', {
    summary: 'List the webhook endpoints of all accounts',
    description: 'With why one is disabled, and how many deliveries wait or have failed.',
    query: WebhookEndpointsQuery,
    responses: cursorPages(ListedWebhookEndpoint),
  }),
  updateAccountWebhookEndpoint: accounts.patch(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}',
    {
      permission: 'administer',
      summary: 'Disable or enable a webhook endpoint of an account',
      description:
        'Events of the time while it is disabled are not sent later: the reseller can replay them. The reseller cannot enable what an operator disabled.',
      body: WebhookStatusBody,
      responses: ok(WebhookEndpoint),
    },
  ),
  redeliverAccountWebhook: accounts.post(
    '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    {
      permission: 'administer',
      summary: 'Send a delivery to a webhook endpoint of an account again',
      description: 'At once, whatever its status, and with retries like the first time.',
      responses: accepted(WebhooksQueued),
      errors: ['conflict'],
    },
  ),
  getStatement: accounts.read('/admin/v1/accounts/{accountId}/statement', {
    summary: 'Get the statement of an account',
    description:
      'Every movement of the prepaid balance from createdAtFrom to createdAtTo, both included, oldest first unless `sort` is DESC, with the balance after it. With `Accept: text/csv` the whole range as a CSV file: its first record is the opening balance and its last one the closing balance.',
    query: StatementQuery,
    headers: StatementHeaders,
    responses: { 200: StatementPage },
    csvExample:
      'number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n,,,opening,,0.00,,,\r\n1,17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7,\r\n,,,closing,,250.00,,,\r\n',
  }),
  listStatements: accounts.read('/admin/v1/books/statements', {
    isHeavy: true,
    summary: 'List the statements of all accounts',
    description:
      'Of every account the balances before and after the range, both ends included, and the sums between them, by name. With `Accept: text/csv` every movement as a CSV file: the first record of an account is its opening balance and the last one its closing balance; the last record of all is their total. Accounts without a balance and a movement are left out of it.',
    query: StatementsQuery,
    headers: StatementHeaders,
    responses: cursorPages(AccountStatement),
    csvExample:
      'accountId,accountName,number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,,,,opening,,0.00,,,\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,1,17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7,\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,,,,closing,,250.00,,,\r\n,,,,,total,250.00,250.00,,,\r\n',
  }),
  getTrialBalance: accounts.read('/admin/v1/books', {
    isHeavy: true,
    summary: 'Get the trial balance',
    description:
      'What every ledger account has moved and holds at a moment (now, if none is given), the house accounts first. It adds up to zero.',
    query: TrialBalanceQuery,
    responses: ok(TrialBalance),
  }),
  getDailyBooks: accounts.read('/admin/v1/books/daily', {
    isHeavy: true,
    summary: 'Get what was booked day by day',
    description: 'By UTC days, at most 400. With `Accept: text/csv` as a CSV file.',
    query: DaysQuery,
    headers: StatementHeaders,
    responses: ok(DailyBooks),
    csvExample:
      'date,deposits,charges,gatewayCharges,refunds,gatewayRefunds,adjustments,payouts,prepaidBalance\r\n2026-11-21,250.00,12.30,0.00,0.00,0.00,0.00,0.00,237.70\r\n',
  }),
  getSellerSales: accounts.read('/admin/v1/books/sellers', {
    isHeavy: true,
    summary: 'Get what was sold for each seller',
    description:
      'Charges and refunds that were booked on UTC days, at most 400, by the seller of the order. With `Accept: text/csv` as a CSV file.',
    query: DaysQuery,
    headers: StatementHeaders,
    responses: ok(SellerSales),
    csvExample:
      'sellerId,sellerName,orders,turnover,refunds,net\r\n7f1d0c52-2f0e-4a53-8f43-0e1f6f9b0a01,Key Cellar,2,24.60,12.30,12.30\r\n',
  }),
} as const;
