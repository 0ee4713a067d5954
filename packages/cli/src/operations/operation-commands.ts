import type { DailyBooks, TrialBalance } from '@keyport/contract/accounts/books';
import type { OperationName } from '@keyport/contract/operations';
import type { Summary } from '@keyport/contract/operators/summary';
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { formatOrder } from './format-order.ts';
import { formatDailyBooks, formatSummary, formatTrialBalance, isBalanced } from './format-sums.ts';
import { addOperationCommand, type OperationCommand } from './operation-command.ts';

/** An operation whose command needs nothing else, or what differs from it. The example starts with the path's arguments. */
type Row = OperationName | Omit<OperationCommand, 'name'>;

const SECRET_ONCE = { 201: 'The secret is shown only now:' };
const WAITS = { 202: 'This write needs the approval of another operator:' };

const booking = (
  operation: OperationCommand['operation'],
  name: string,
  example: string,
  first: string[] = [],
) => ({
  operation,
  example,
  bodyArguments: [...first, 'amount', 'reference'],
  describeStatus: {
    200: 'This reference was booked before; nothing changed:',
    201: `The ${name} is booked:`,
    ...WAITS,
  },
});

const SINGLE = {
  deposit: booking('createDeposit', 'deposit', '250.00 bank-2026-11-21-7'),
  adjustment: booking('createAdjustment', 'adjustment', `credit 5.00 case-811 --reason 'Bank fee refunded'`, [
    'direction',
  ]),
  payout: booking('createPayout', 'payout', '120.00 bank-2026-11-30-2'),
  statement: {
    operation: 'getStatement',
    renamed: { createdAtFrom: 'from', createdAtTo: 'to' },
    example: '--from 2026-10-01 --to 2026-10-31 --csv --output october.csv',
  },
  books: {
    operation: 'getTrialBalance',
    summary: 'Show the totals of every ledger account; exit with 1 if they do not add up to zero',
    example: '--at 2026-10-31',
    format: async (data) => formatTrialBalance(data as TrialBalance),
    hasFailed: (data) => !isBalanced(data as TrialBalance),
  },
  statements: {
    operation: 'listStatements',
    example: '--from 2026-10-01 --to 2026-10-31 --csv --output october.csv',
  },
  'daily-books': {
    operation: 'getDailyBooks',
    example: '--from 2026-11-01 --to 2026-11-30',
    format: async (data) => formatDailyBooks(data as DailyBooks),
  },
  summary: {
    operation: 'getSummary',
    example: '--bucket day --from 2026-11-01 --to 2026-11-30',
    format: async (data) => formatSummary(data as Summary),
  },
  attention: 'getAttention',
} as const satisfies Readonly<Record<string, Row>>;

const ACCOUNT: Readonly<Record<string, Row>> = {
  list: { operation: 'listAccounts', example: `--query 'acme games'` },
  show: 'getAccount',
  create: { operation: 'createAccount', example: `--name 'Acme Games' --payment-method balance` },
  requests: { operation: 'listAccountRequests', example: '--status 400' },
  reads: { operation: 'listAccountRequestCounts', example: '--from 2026-11-21T09:00:00Z' },
  update: { operation: 'updateAccount', example: `--limits '{"dailySpendMax":"500.00"}'` },
};

const CLIENT: Readonly<Record<string, Row>> = {
  list: 'listClients',
  'list-all': { operation: 'listAllClients', example: '--role operator' },
  create: { operation: 'createClient', example: `--name 'Shop server'`, describeStatus: SECRET_ONCE },
  'create-operator': {
    operation: 'createOperatorClient',
    example: `--name 'Nightly import' --operator-role catalogue`,
    describeStatus: SECRET_ONCE,
  },
  update: { operation: 'updateClient', example: `--allowed-addresses '["192.0.2.0/24"]'` },
  secret: { operation: 'createClientSecret', describeStatus: SECRET_ONCE },
  disable: { operation: 'disableClient', describeStatus: { 204: 'The client is disabled.' } },
  enable: {
    operation: 'enableClient',
    describeStatus: { 200: 'The client is enabled, with its previous secrets:' },
  },
};

const WEBHOOK: Readonly<Record<string, Row>> = {
  list: 'listAccountWebhookEndpoints',
  'list-all': { operation: 'listAllWebhookEndpoints', example: '--status disabled' },
  show: 'getAccountWebhookEndpoint',
  update: { operation: 'updateAccountWebhookEndpoint', example: '--status enabled' },
  test: 'testAccountWebhookEndpoint',
  event: 'getAccountEvent',
  redeliver: 'redeliverAccountWebhook',
  deliveries: { operation: 'listAccountWebhookDeliveries', example: '--status failed' },
};

const ORDER: Readonly<Record<string, Row>> = {
  list: { operation: 'listAllOrders', example: '--status held --items-per-page 20' },
  show: { operation: 'getAnyOrder', format: formatOrder },
  rejections: { operation: 'listRejections', example: '--code offer-not-available' },
  hold: { operation: 'holdOrder', example: `--reason 'Looks like a stolen account'` },
  release: { operation: 'releaseOrder', example: `--reason 'Reviewed, no problem found'` },
  cancel: { operation: 'cancelOrder', example: `--reason 'Requested by the reseller'` },
  refund: {
    operation: 'refundOrder',
    format: formatOrder,
    example: `--reason 'Bad key' --items '[{"id":"ITEM_ID","quantity":1}]'`,
    describeStatus: WAITS,
  },
  keys: 'listOrderKeys',
  'replace-key': {
    operation: 'replaceKey',
    format: formatOrder,
    // The process list would show a code in an argument. 'keys find' returns the id instead.
    withoutOptions: ['code'],
    example: `--key-id 1200 --reason 'Already used'`,
  },
};

const CLAIM: Readonly<Record<string, Row>> = {
  list: { operation: 'listAllClaims', example: '--status open --sort createdAt' },
  show: 'getAnyClaim',
  decide: {
    operation: 'decideClaim',
    example: `--decisions '[{"keyId":"1","decision":"replace"}]' --answer 'Sorry. Read the new key.'`,
    describeStatus: WAITS,
  },
};

const APPROVAL: Readonly<Record<string, Row>> = {
  list: { operation: 'listApprovals', example: '--status pending' },
  show: 'getApproval',
  approve: { operation: 'approveWrite', example: `--reason 'Checked with the bank'` },
  reject: { operation: 'rejectWrite', example: `--reason 'Wrong account'` },
};

const SELLER: Readonly<Record<string, Row>> = {
  put: { operation: 'putSeller', makesId: true, example: `--name 'Key Cellar'` },
  list: { operation: 'listSellers', example: '--all' },
  show: 'getSeller',
  'claims-rate': { operation: 'getClaimsRate', example: '--from 2026-11-01T00:00:00Z' },
  sales: { operation: 'getSellerSales', example: '--from 2026-11-01 --to 2026-11-30' },
};

const PRODUCT: Readonly<Record<string, Row>> = {
  put: { operation: 'putProduct', example: `--name 'Star Harbour' --checkout-class standard` },
  list: { operation: 'listCatalogueProducts', example: `--query 'star harbour' --limit 20` },
  show: 'getCatalogueProduct',
};

const OFFER: Readonly<Record<string, Row>> = {
  put: {
    operation: 'putOffer',
    makesId: true,
    example: '--product-id PRODUCT_ID --seller-id SELLER_ID --price 12.30 --status active',
  },
  list: { operation: 'listOffers', example: '--product-id PRODUCT_ID' },
  show: 'getOffer',
  history: 'listOfferHistory',
  update: { operation: 'updateOffer', example: '--price 11.90' },
  pause: {
    operation: 'updateOffer',
    summary: 'Take an offer off sale; it keeps its keys',
    presetBody: { status: 'paused' },
  },
  resume: {
    operation: 'updateOffer',
    summary: 'Put a paused offer on sale again',
    presetBody: { status: 'active' },
  },
};

const CATALOGUE: Readonly<Record<string, Row>> = {
  'restart-feeds': {
    operation: 'restartFeeds',
    example: `--reason 'Restored the backup of 03:00'`,
    describeStatus: {
      204: 'Every reader of the change feed starts from the beginning with its next request.',
    },
  },
  'restore-removed': { operation: 'restoreImport', example: `--reason 'The feed was truncated'` },
};

const LINK_ONCE = { 201: 'Send this link. It signs in once, within 48 hours, and is shown only now:' };

const OPERATOR: Readonly<Record<string, Row>> = {
  list: { operation: 'listOperators', example: '--page 2' },
  show: 'getOperator',
  create: {
    operation: 'createOperator',
    example: `--name 'Ada Byron' --email ada@marketplace.example --role support`,
    describeStatus: LINK_ONCE,
  },
  update: { operation: 'updateOperator', example: '--role finance' },
  disable: {
    operation: 'updateOperator',
    summary: 'Sign an operator out, remove all credentials and block sign-in',
    presetBody: { status: 'disabled' },
  },
  enable: {
    operation: 'updateOperator',
    summary: 'Allow a disabled operator to sign in again',
    presetBody: { status: 'active' },
  },
  invite: { operation: 'inviteOperator', describeStatus: LINK_ONCE },
  'reset-credentials': { operation: 'resetOperatorCredentials', describeStatus: LINK_ONCE },
};

const MEMBER: Readonly<Record<string, Row>> = {
  list: { operation: 'listAccountMembers', example: '--page 2' },
  create: {
    operation: 'createAccountMember',
    example: `--name 'Ada Byron' --email ada@shop.example --role owner`,
    describeStatus: LINK_ONCE,
  },
  update: { operation: 'updateAccountMember', example: '--role buyer' },
  disable: {
    operation: 'updateAccountMember',
    summary: 'Sign a member out, remove all credentials and block sign-in',
    presetBody: { status: 'disabled' },
  },
  enable: {
    operation: 'updateAccountMember',
    summary: 'Allow a disabled member to sign in again',
    presetBody: { status: 'active' },
  },
  invite: { operation: 'inviteAccountMember', describeStatus: LINK_ONCE },
  'reset-credentials': { operation: 'resetAccountMemberCredentials', describeStatus: LINK_ONCE },
};

const IMPORTS: Readonly<Record<string, Row>> = {
  list: { operation: 'listImports', example: '--state stopped' },
  rejects: { operation: 'listImportRejects', example: '--all' },
  undo: { operation: 'undoImport', example: `--reason 'Prices of last week'` },
};

const RESERVATION: Readonly<Record<string, Row>> = {
  list: { operation: 'listAllReservations', example: '--status active' },
  release: { operation: 'releaseAnyReservation', example: `--reason 'The customer canceled'` },
};

const PAYMENTS: Readonly<Record<string, Row>> = {
  list: { operation: 'listPayments', example: '--kind charge' },
  retry: 'retryPayment',
};

const GROUPS = {
  operator: { summary: 'Operators of the service', rows: OPERATOR },
  account: { summary: 'Accounts of resellers', rows: ACCOUNT },
  client: { summary: 'OAuth clients of accounts and of operators', rows: CLIENT },
  member: { summary: 'People of accounts who sign in to the portal', rows: MEMBER },
  webhook: { summary: 'Webhook endpoints of an account', rows: WEBHOOK },
  order: { summary: 'Orders of all accounts', rows: ORDER },
  claim: { summary: 'Claims about faulty keys', rows: CLAIM },
  approval: { summary: 'Writes that need the approval of another operator', rows: APPROVAL },
  seller: { summary: 'Sellers', rows: SELLER },
  product: { summary: 'Products of the catalogue', rows: PRODUCT },
  offer: { summary: 'Offers of sellers', rows: OFFER },
  catalogue: { summary: 'The catalogue as a whole', rows: CATALOGUE },
  imports: { summary: 'Imports and their results', rows: IMPORTS },
  reservation: { summary: 'Reservations of units', rows: RESERVATION },
  payments: { summary: 'Payments at the payment provider', rows: PAYMENTS },
} as const;

export function addSingles(program: Command): void {
  for (const [name, row] of Object.entries<Row>(SINGLE)) addRow(program, name, row);
}

export function addGroup(program: Command, group: keyof typeof GROUPS): Command {
  const { summary, rows } = GROUPS[group];
  const parent = addGroupCommand(program, group, summary);
  for (const [name, row] of Object.entries(rows)) addRow(parent, name, row);
  return parent;
}

function addRow(parent: Command, name: string, row: Row): Command {
  return addOperationCommand(parent, { ...(typeof row === 'string' ? { operation: row } : row), name });
}
