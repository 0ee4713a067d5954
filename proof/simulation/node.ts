/** One process of the service as app.ts assembles it, without its socket. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { errorSpec } from '@keyport/contract/errors';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { drawOrderId } from '@keyport/core/ids';
import { ApiError } from '@keyport/http/replies/api-error';
import { buildErrorBody } from '@keyport/http/replies/errors';
import { pino } from 'pino';
import { buildAccountHandlers } from '../../packages/server/src/accounts/accounts.routes.ts';
import { requestApproval } from '../../packages/server/src/approvals/request-approval.ts';
import { listOpenApprovals } from '../../packages/server/src/approvals/show-approval.ts';
import { toMasterKey } from '../../packages/server/src/custody/master-key-file.ts';
import { createMasterKeys } from '../../packages/server/src/custody/master-keys.ts';
import type { Database } from '../../packages/server/src/db/engines/database.ts';
import { untraced } from '../../packages/server/src/in-span.ts';
import { buildBookingHandlers } from '../../packages/server/src/ledger/bookings.routes.ts';
import { loadHouseAccounts } from '../../packages/server/src/ledger/house-accounts.sql.ts';
import { buildListingHandlers } from '../../packages/server/src/listings/listings.routes.ts';
import type {
  OperationHandlers,
  OperationReply,
  WriteRequest,
  WriteWork,
} from '../../packages/server/src/operations/operation.ts';
import { createWriteRunner } from '../../packages/server/src/operations/writes/run-write.ts';
import { buildOrderHandlers, createOrderActions } from '../../packages/server/src/orders/orders.routes.ts';
import { createSettlement } from '../../packages/server/src/orders/payments/settlement.ts';
import { buildCreateOrderHandler } from '../../packages/server/src/orders/placement/create-order.routes.ts';
import { Placement } from '../../packages/server/src/orders/placement/placement.ts';
import { OrderWorker } from '../../packages/server/src/orders/workers.ts';
import { insertSealedKeys } from '../../packages/server/src/stock/product-keys.sql.ts';
import { createCustody } from '../../packages/server/src/stock/product-keys.ts';
import { buildWithdrawKeysHandlers } from '../../packages/server/src/stock/withdraw-keys.routes.ts';
import { SumWorker } from '../../packages/server/src/sums/sum-worker.ts';
import { connectionReset } from './faulty-engine.ts';
import { RISK_RULES } from './model.ts';
import type { Provider } from './provider.ts';

const COOLDOWN_MS = 2000;
const KEYS_WINDOW_HOURS = 48;
const GATEWAY_TIMEOUT_MS = 10_000;

export type Reply = {
  readonly status: number;
  /** The body without its traceId. */
  // biome-ignore lint/suspicious/noExplicitAny: the model looks into bodies of every operation
  readonly body: any;
  readonly isReplay: boolean;
  readonly fault?: string;
};

type Handlers = Pick<
  OperationHandlers,
  | 'createOrder'
  | 'getOrderKeys'
  | 'getOrder'
  | 'listOrders'
  | 'holdOrder'
  | 'releaseOrder'
  | 'cancelOrder'
  | 'refundOrder'
  | 'createAccount'
  | 'updateAccount'
  | 'createDeposit'
  | 'createAdjustment'
  | 'createPayout'
  | 'putSeller'
  | 'putProduct'
  | 'putOffer'
  | 'addKeys'
  | 'withdrawKeys'
>;

export type Node = {
  /** None of its pending work reaches the database or the provider. */
  kill(): void;
  readonly isAlive: () => boolean;
  call(name: keyof Handlers, request: Record<string, unknown>): Promise<Reply>;
  runWorker(): Promise<void>;
  foldSums(): Promise<void>;
};

export async function startNode(parts: {
  readonly database: Database;
  readonly provider: Provider;
  /** Called in the order of the commits. */
  readonly onBatch: (size: number) => void;
}): Promise<Node> {
  let isAlive = true;
  const { provider } = parts;
  const database: Database = {
    ...parts.database,
    connect: () => (isAlive ? parts.database.connect() : Promise.reject(connectionReset())),
  };
  const gateway = provider.gateway(() => isAlive);
  const houseAccounts = await loadHouseAccounts(parts.database.db);
  const publicUrl = () => 'https://keyport.example';
  const log = pino({ level: 'silent' });
  const shared = {
    database,
    houseAccounts,
    publicUrl,
    gatewayTimeoutMs: GATEWAY_TIMEOUT_MS,
    log,
    onCatalogueChanged: () => {},
  };
  const settlement = createSettlement({ ...shared, gateway });
  const placement = new Placement({
    tracer: untraced,
    ...shared,
    cooldownMs: COOLDOWN_MS,
    drawOrderId: (epochSeconds) => drawOrderId({ epochSeconds, randomBelow, isSandbox: false }),
    charge: settlement.charge,
    riskRules: RISK_RULES,
    onBatch: ({ size }) => parts.onBatch(size),
  });
  const sums = new SumWorker({ database, scarceUnitsMax: 10 });
  const foldSums = async () => {
    while (await sums.fold().catch(() => false));
  };
  const worker = new OrderWorker({
    database,
    payments: { settlement, gateway },
    gatewayTimeoutMs: GATEWAY_TIMEOUT_MS,
    log,
    onCatalogueChanged() {},
    nowMs: () => 0,
  });
  const secret = (text: string) => createSecretKey(Buffer.alloc(32, text));
  const keys = [toMasterKey(Buffer.alloc(32, 'master'))];
  const masterKeys = createMasterKeys(keys, async () => keys);
  const custody = createCustody({ masterKeys, codeMacKey: secret('mac'), nowMs: Date.now });
  const stock = { ...custody, insertSealedKeys };
  const handlers: Handlers = {
    ...buildCreateOrderHandler(placement),
    ...buildOrderHandlers(
      { ...shared, ...custody, keysWindowHours: KEYS_WINDOW_HOURS, settleNow: undefined },
      createOrderActions(shared),
    ),
    ...buildAccountHandlers(database, () => {}),
    ...buildBookingHandlers({ onAccountChanged: () => {} }),
    ...buildListingHandlers({ ...shared, stock, lowStockUnits: 10 }),
    ...buildWithdrawKeysHandlers({ ...shared, codeMacs: custody.codeMacs }),
  };
  const runWrite = createWriteRunner({
    database,
    cooldownMs: COOLDOWN_MS,
    secret: secret('writes'),
    approvalAboveMinor: undefined,
    requestApproval,
    listOpenApprovals,
  });
  const handle = async (name: keyof Handlers, given: Record<string, unknown>): Promise<OperationReply> => {
    const operation = OPERATION_LIST.find((one) => one.name === name);
    const request = { params: {}, query: {}, headers: {}, body: {}, traceId: TRACE_ID, ...given };
    if (operation?.idempotency === undefined) {
      return (handlers[name] as (request: unknown) => Promise<OperationReply>)(request);
    }
    const work = (handlers[name] as (request: unknown) => WriteWork)(request);
    // Operator requests are not retried here.
    const headers = { 'idempotency-key': toUuid(randomBytes(16)) };
    return runWrite(operation, { ...request, headers } as unknown as WriteRequest, work);
  };
  return {
    kill: () => {
      isAlive = false;
    },
    isAlive: () => isAlive,
    async call(name, request) {
      try {
        return readReply(await handle(name, request));
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) {
          const fault = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
          return {
            status: errorSpec('internal-server-error').status,
            body: undefined,
            isReplay: false,
            fault,
          };
        }
        const body = buildErrorBody(thrown, publicUrl());
        return { status: body.error.status, body, isReplay: false };
      }
    },
    async runWorker() {
      // One round sets a mark, the next one folds up to it.
      await foldSums();
      await foldSums();
      await worker.run();
    },
    foldSums,
  };
}

/** node:crypto's own UUIDs do not come from the seed. */
function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const TRACE_ID = '0123456789abcdef0123456789abcdef';

function readReply(reply: OperationReply): Reply {
  if (!('bytes' in reply))
    return {
      status: reply.status,
      body: { data: 'data' in reply ? reply.data : undefined },
      isReplay: false,
    };
  const { traceId: _, ...body } = JSON.parse(reply.bytes.toString());
  return { status: reply.status, body, isReplay: reply.headers?.['idempotent-replayed'] === 'true' };
}

const randomBelow = (end: number): number => randomBytes(6).readUIntBE(0, 6) % end;
