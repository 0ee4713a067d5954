import type { DailyBooks } from '@keyport/contract/accounts/books';
import type { Summary } from '@keyport/contract/operators/summary';
import { TRANSFER_KINDS } from '@keyport/core/ledger';
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { formatOrder } from './format-order.ts';
import { formatDailyBooks, formatSummary } from './format-sums.ts';
import { addOperationCommand, type OperationCommand } from './operation-command.ts';

type Row = Omit<OperationCommand, 'name'>;

const ID = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';
const ORDER_ID = '2174556001234567';
const PRODUCT_ID = '10000000000017';
const SECRET_ONCE = { 201: 'The secret is shown only now:' };
const WAITS = { 202: 'This write needs the approval of another operator:' };

const booking = (
  operation: OperationCommand['operation'],
  name: string,
  example: string,
  first: string[] = [],
) => ({
  operation,
  example: `${ID} ${example}`,
  bodyArguments: [...first, 'amount', 'reference'],
  describeStatus: {
    200: 'This reference was booked before; nothing changed:',
    201: `The ${name} is booked:`,
    ...WAITS,
  },
});

const SUMS = TRANSFER_KINDS.map((kind) => `${kind}=sums.${kind}`);

const SINGLE = {
  deposit: booking('createDeposit', 'deposit', '250.00 bank-2026-11-21-7'),
  adjustment: booking('createAdjustment', 'adjustment', `credit 5.00 case-811 --reason 'Bank fee refunded'`, [
    'direction',
  ]),
  payout: booking('createPayout', 'payout', '120.00 bank-2026-11-30-2'),
  statements: {
    operation: 'listStatements',
    columns: `accountId accountName openingBalance ${SUMS.join(' ')} closingBalance`,
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
  attention: { operation: 'getAttention', example: '' },
} as const satisfies Readonly<Record<string, Row>>;

const ACCOUNT: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listAccounts',
    columns: 'id name status paymentMethod balance discountPercent',
    example: `--query 'acme games'`,
  },
  show: { operation: 'getAccount', example: ID },
  create: { operation: 'createAccount', example: `--name 'Acme Games' --payment-method balance` },
  requests: {
    operation: 'listAccountRequests',
    columns: 'at status code method path clientId traceId orderId durationMs',
    example: `${ID} --status 400`,
  },
  reads: {
    operation: 'listAccountRequestCounts',
    columns: 'minute operation count',
    example: `${ID} --from 2026-11-21T09:00:00Z`,
  },
  update: { operation: 'updateAccount', example: `${ID} --limits '{"dailySpendMax":"500.00"}'` },
};

const CLIENT: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listClients',
    columns: 'clientId name access liveSecrets allowedAddresses disabledAt createdAt',
    example: ID,
  },
  'list-all': {
    operation: 'listAllClients',
    columns: 'clientId name role access accountName liveSecrets disabledAt createdAt',
    example: '--role operator',
  },
  create: { operation: 'createClient', example: `${ID} --name 'Shop server'`, describeStatus: SECRET_ONCE },
  'create-operator': {
    operation: 'createOperatorClient',
    example: `--name 'Nightly import' --operator-role catalogue`,
    describeStatus: SECRET_ONCE,
  },
  update: { operation: 'updateClient', example: `CLIENT_ID --allowed-addresses '["192.0.2.0/24"]'` },
  secret: { operation: 'createClientSecret', example: 'CLIENT_ID', describeStatus: SECRET_ONCE },
  disable: {
    operation: 'disableClient',
    example: 'CLIENT_ID',
    describeStatus: { 204: 'The client is disabled.' },
  },
  enable: {
    operation: 'enableClient',
    example: 'CLIENT_ID',
    describeStatus: { 200: 'The client is enabled, with its previous secrets:' },
  },
};

const WEBHOOK: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listAccountWebhookEndpoints',
    columns: 'id status url types disabledReason failingSince',
    example: ID,
  },
  'list-all': {
    operation: 'listAllWebhookEndpoints',
    columns: 'id accountName status url pendingDeliveries failedDeliveries disabledReason',
    example: '--status disabled',
  },
  show: { operation: 'getAccountWebhookEndpoint', example: `${ID} ENDPOINT_ID` },
  update: { operation: 'updateAccountWebhookEndpoint', example: `${ID} ENDPOINT_ID --status enabled` },
  test: { operation: 'testAccountWebhookEndpoint', example: `${ID} ENDPOINT_ID` },
  event: { operation: 'getAccountEvent', example: `${ID} EVENT_ID` },
  redeliver: { operation: 'redeliverAccountWebhook', example: `${ID} ENDPOINT_ID DELIVERY_ID` },
  deliveries: {
    operation: 'listAccountWebhookDeliveries',
    columns: 'eventId type status firstError=attempts.0.error nextAttemptAt',
    example: `${ID} ENDPOINT_ID --status failed`,
  },
};

const FIRST_PRODUCT = 'product=transactions.0.items.0.product.name';

const ORDER: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listAllOrders',
    columns: `id status createdAt totalPrice currency accountName reference ${FIRST_PRODUCT} holdReason`,
    example: '--status held --items-per-page 20',
  },
  show: { operation: 'getAnyOrder', format: formatOrder, example: ORDER_ID },
  rejections: {
    operation: 'listRejections',
    columns: 'rejectedAt accountName productName quantity code message idempotencyKey',
    example: '--code offer-not-available',
  },
  hold: { operation: 'holdOrder', example: `${ORDER_ID} --reason 'Looks like a stolen account'` },
  release: { operation: 'releaseOrder', example: `${ORDER_ID} --reason 'Reviewed, no problem found'` },
  cancel: { operation: 'cancelOrder', example: `${ORDER_ID} --reason 'Requested by the reseller'` },
  refund: {
    operation: 'refundOrder',
    format: formatOrder,
    example: `${ORDER_ID} --reason 'Bad key' --items '[{"id":"ITEM_ID","quantity":1}]'`,
    describeStatus: WAITS,
  },
  keys: {
    operation: 'listOrderKeys',
    columns: 'id state maskedCode readAt refundedAt refundedAs replacedBy',
    example: ORDER_ID,
  },
  'replace-key': {
    operation: 'replaceKey',
    format: formatOrder,
    // The process list would show a code in an argument. `keys find` returns the id instead.
    withoutOptions: ['code'],
    example: `${ORDER_ID} --key-id 1200 --reason 'Already used'`,
  },
};

const CLAIM_ID = 'clm_2b7e9c1e53a44c9e9f0f6a4ce5f0d111';

const CLAIM: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listAllClaims',
    columns: 'id status reason createdAt accountName sellerName productName orderId',
    example: '--status open --sort createdAt',
  },
  show: { operation: 'getAnyClaim', example: CLAIM_ID },
  decide: {
    operation: 'decideClaim',
    example: `${CLAIM_ID} --decisions '[{"keyId":"1","decision":"replace"}]' --answer 'Sorry. Read the new key.'`,
    describeStatus: WAITS,
  },
};

const APPROVAL: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listApprovals',
    columns: 'id status operation amount accountId orderId requestedBy requestedAt',
    example: '--status pending',
  },
  show: { operation: 'getApproval', example: '17' },
  approve: { operation: 'approveWrite', example: `17 --reason 'Checked with the bank'` },
  reject: { operation: 'rejectWrite', example: `17 --reason 'Wrong account'` },
};

const SELLER: Readonly<Record<string, Row>> = {
  put: { operation: 'putSeller', makesId: true, example: `--name 'Key Cellar'` },
  list: { operation: 'listSellers', columns: 'id name', example: '--all' },
  show: { operation: 'getSeller', example: '7f1d0c52-2f0e-4a53-8f43-0e1f6f9b0a01' },
  'claims-rate': {
    operation: 'getClaimsRate',
    example: '7f1d0c52-2f0e-4a53-8f43-0e1f6f9b0a01 --from 2026-11-01T00:00:00Z',
  },
  sales: { operation: 'getSellerSales', example: '--from 2026-11-01 --to 2026-11-30' },
};

const PRODUCT: Readonly<Record<string, Row>> = {
  put: { operation: 'putProduct', example: `${PRODUCT_ID} --name 'Star Harbour' --checkout-class standard` },
  list: {
    operation: 'listCatalogueProducts',
    columns: 'id name checkoutClass activeOffers quantity minPrice',
    example: `--query 'star harbour' --limit 20`,
  },
  show: { operation: 'getCatalogueProduct', example: PRODUCT_ID },
};

const OFFER: Readonly<Record<string, Row>> = {
  put: {
    operation: 'putOffer',
    makesId: true,
    example: `--product-id ${PRODUCT_ID} --seller-id SELLER_ID --price 12.30 --status active`,
  },
  list: {
    operation: 'listOffers',
    columns: 'id status price quantity productId productName sellerName',
    example: `--product-id ${PRODUCT_ID}`,
  },
  show: { operation: 'getOffer', example: ID },
  history: { operation: 'listOfferHistory', columns: 'at price status', example: ID },
  update: { operation: 'updateOffer', example: `${ID} --price 11.90` },
  pause: {
    operation: 'updateOffer',
    summary: 'Take an offer off sale; it keeps its keys',
    example: ID,
    presetBody: { status: 'paused' },
  },
  resume: {
    operation: 'updateOffer',
    summary: 'Put a paused offer on sale again',
    example: ID,
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
  'restore-removed': { operation: 'restoreImport', example: `17 --reason 'The feed was truncated'` },
};

const PERSON = 'person_0b7e9c1e53a44c9e9f0f6a4c';
const LINK_ONCE = { 201: 'Send this link. It signs in once, within 48 hours, and is shown only now:' };

const OPERATOR: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listOperators',
    columns: 'id name email role status lastSeenAt',
    example: '--page 2',
  },
  show: { operation: 'getOperator', example: PERSON },
  create: {
    operation: 'createOperator',
    example: `--name 'Ada Byron' --email ada@marketplace.example --role support`,
    describeStatus: LINK_ONCE,
  },
  update: { operation: 'updateOperator', example: `${PERSON} --role finance` },
  disable: {
    operation: 'updateOperator',
    summary: 'Sign an operator out, remove all credentials and block sign-in',
    example: PERSON,
    presetBody: { status: 'disabled' },
  },
  enable: {
    operation: 'updateOperator',
    summary: 'Allow a disabled operator to sign in again',
    example: PERSON,
    presetBody: { status: 'active' },
  },
  invite: { operation: 'inviteOperator', example: PERSON, describeStatus: LINK_ONCE },
  'reset-credentials': { operation: 'resetOperatorCredentials', example: PERSON, describeStatus: LINK_ONCE },
};

const IMPORTS: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listImports',
    columns: 'id kind state startedAt read written rejected removed dryRun fileName name undoneAt',
    example: '--state stopped',
  },
  rejects: { operation: 'listImportRejects', columns: 'line message', example: '17 --all' },
  undo: { operation: 'undoImport', example: `17 --reason 'Prices of last week'` },
};

const RESERVATION: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listAllReservations',
    columns: 'id accountName status item totalPrice expiresAt orderId',
    example: '--status active',
  },
  release: {
    operation: 'releaseAnyReservation',
    example: `rsv_2b7e9c1e53a44c9e9f0f6a4ce5f0d111 --reason 'The customer canceled'`,
  },
};

const PAYMENTS: Readonly<Record<string, Row>> = {
  list: {
    operation: 'listPayments',
    columns: 'id amount accountName orderStatus createdAt providerState lastError nextAttemptAt',
    example: '--kind charge',
  },
  retry: { operation: 'retryPayment', example: `charge-${ORDER_ID}` },
};

const GROUPS = {
  operator: { summary: 'Operators of the service', rows: OPERATOR },
  account: { summary: 'Accounts of resellers', rows: ACCOUNT },
  client: { summary: 'OAuth clients of accounts and of operators', rows: CLIENT },
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

export function addSingle(program: Command, name: keyof typeof SINGLE): Command {
  const row: Row = SINGLE[name];
  return addOperationCommand(program, { ...row, name, example: `keyport ${name} ${row.example}`.trimEnd() });
}

export function addGroup(program: Command, group: keyof typeof GROUPS): Command {
  const { summary, rows } = GROUPS[group];
  const parent = addGroupCommand(program, group, summary);
  for (const [name, row] of Object.entries(rows)) {
    addOperationCommand(parent, { ...row, name, example: `keyport ${group} ${name} ${row.example}` });
  }
  return parent;
}
