/**
 * Fills an empty database with the demo: catalogue, keys, and a reseller with a balance and a past. One transaction, so
 * a process that is killed meanwhile leaves an empty database. The same statements write it that imports use.
 */
import { createHash } from 'node:crypto';
import { must } from '@keyport/core/assert';
import { fingerprintLine } from '@keyport/core/idempotency';
import { buildOrderId, type RoundFunction } from '@keyport/core/ids';
import { orderItemId } from '@keyport/core/place-order';
import { priceRefund } from '@keyport/core/pricing';
import type { Transaction } from 'kysely';
import { stampProducts } from '../db/catalogue-clock.sql.ts';
import type { Database } from '../db/database.ts';
import { loadHouseAccounts } from '../db/house-accounts.sql.ts';
import type { Schema } from '../db/schema.ts';
import { loadNow } from '../db/timestamps.ts';
import { runTransaction } from '../db/transaction.ts';
import { DEMO_SEED, type Demo, generateDemo } from './catalogue.ts';
import type { DemoOrder } from './history.ts';
import {
  drawOrderSerials,
  findExampleProductId,
  hasAccount,
  insertDemoAccount,
  insertPastItem,
  insertPastOrder,
  insertPastRecord,
  insertPastTransfer,
  isEmpty,
  lockSeeding,
  type PastTransfer,
  sellUnits,
  updateDemoAccount,
} from './seed.sql.ts';

type Tx = Transaction<Schema>;

/** The demo reseller; the same id everywhere, so that examples work. */
export const DEMO_ACCOUNT = { id: '0de30000-0000-4000-8000-000000000001', name: 'Demo reseller' } as const;

/** What is left of the demo reseller's deposit for a newcomer to spend, EUR cents. */
const BALANCE_LEFT_MINOR = 250_000;

const BATCH_SIZE_MAX = 1000;
const SEEDING_DEADLINE_MS = 120_000;

/** How the rows are written: the functions behind the operator's imports, passed in by app.ts. */
export type DemoWriters = {
  readonly writeSellers: (tx: Tx, sellers: Demo['sellers']) => Promise<void>;
  readonly writeProducts: (tx: Tx, products: Demo['products']) => Promise<void>;
  readonly writeOffers: (tx: Tx, offers: Demo['offers']) => Promise<void>;
  /** Takes keys into stock and counts them on their offers. */
  readonly writeKeys: (tx: Tx, keys: Demo['keys']) => Promise<void>;
  /** Inserts delivered codes without counting them as available; returns their unit ids in order. */
  readonly insertUnits: (tx: Tx, offerId: string, codes: readonly string[]) => Promise<number[]>;
  /** The body of a 201 for a past order, as the idempotency record keeps it. */
  readonly buildBody: (order: PastOrderView) => string;
};

type PastOrderView = {
  readonly id: string;
  readonly status: DemoOrder['status'];
  readonly createdAtMicros: number;
  readonly discountMinor: number;
  readonly totalPriceMinor: number;
  readonly items: readonly {
    readonly id: string;
    readonly productId: string;
    readonly productName: string;
    readonly offerId: string;
    readonly sellerId: string;
    readonly sellerName: string;
    readonly unitPriceMinor: number;
    readonly quantity: DemoOrder['items'][number]['quantity'];
  }[];
};

/** Seeds unless somebody did before or the database is in use; returns whether the demo reseller exists afterwards. */
export async function seedDemo(deps: {
  readonly database: Database;
  readonly writers: DemoWriters;
  readonly orderIdRounds: RoundFunction;
  /** Base of the picture addresses. */
  readonly publicUrl: string;
  /** Told when it begins, which takes a moment. */
  readonly onSeeding?: () => void;
}): Promise<boolean> {
  const limits = { statementTimeoutMs: SEEDING_DEADLINE_MS, deadlineMs: SEEDING_DEADLINE_MS };
  return runTransaction(deps.database, limits, async (tx) => {
    await lockSeeding(tx);
    if (!(await isEmpty(tx))) return hasAccount(tx, DEMO_ACCOUNT.id);
    deps.onSeeding?.();
    const nowMicros = await loadNow(tx);
    const demo = generateDemo(DEMO_SEED, { publicUrl: deps.publicUrl }, new Date(nowMicros / 1000));
    const { writers } = deps;
    await writers.writeSellers(tx, demo.sellers);
    for (const products of batches(demo.products)) await writers.writeProducts(tx, products);
    for (const offers of batches(demo.offers)) await writers.writeOffers(tx, offers);
    for (const keys of batches(demo.keys)) await writers.writeKeys(tx, keys);
    await seedPast(tx, demo, deps);
    await stampProducts(
      tx,
      demo.products.map((product) => product.id),
    );
    return true;
  });
}

function* batches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE_MAX)
    yield rows.slice(start, start + BATCH_SIZE_MAX);
}

/** Orders in states that only an order in progress has, or in other currencies, came from elsewhere. */
function isImported(order: DemoOrder): boolean {
  return order.isImported || !(order.status === 'complete' || order.status === 'closed');
}

/** The movements of one order, in their order: a charge, and what was given back of it. */
function moneyOf(order: DemoOrder): { readonly chargedMinor: number; readonly refundedMinor: number } {
  if (isImported(order)) return { chargedMinor: 0, refundedMinor: 0 };
  const orderSumMinor = order.totalPriceMinor + order.discountMinor;
  let refundedMinor = 0;
  for (const item of order.items) {
    if (item.quantity.refunded === 0) continue;
    refundedMinor += priceRefund({
      unitPriceMinor: item.unitPriceMinor,
      quantity: item.quantity.refunded,
      orderSumMinor,
      orderTotalPriceMinor: order.totalPriceMinor,
      alreadyRefundedMinor: refundedMinor,
      isLast: order.status === 'closed',
    });
  }
  return { chargedMinor: order.totalPriceMinor, refundedMinor };
}

async function seedPast(
  tx: Tx,
  demo: Demo,
  deps: { readonly writers: DemoWriters; readonly orderIdRounds: RoundFunction },
): Promise<void> {
  const house = await loadHouseAccounts(tx);
  const prepaid = await insertDemoAccount(tx, DEMO_ACCOUNT);
  const serials = await drawOrderSerials(tx, demo.orders.length);
  const spentMinor = demo.orders.reduce((sum, order) => {
    const money = moneyOf(order);
    return sum + money.chargedMinor - money.refundedMinor;
  }, 0);
  const firstMicros = Math.min(...demo.orders.map((order) => microsOf(order.createdAt)));
  let balanceMinor = 0;
  const book = async (
    transfer: Pick<PastTransfer, 'kind' | 'amountMinor' | 'createdAtMicros' | 'orderId' | 'reference'>,
  ) => {
    if (transfer.amountMinor === 0) return;
    const isCharge = transfer.kind === 'charge';
    balanceMinor += isCharge ? -transfer.amountMinor : transfer.amountMinor;
    const other = transfer.kind === 'deposit' ? house.cash : house.sales;
    await insertPastTransfer(tx, {
      ...transfer,
      fromLedgerAccountId: isCharge ? prepaid : other,
      toLedgerAccountId: isCharge ? other : prepaid,
      balanceAfterMinor: balanceMinor,
      accountId: DEMO_ACCOUNT.id,
    });
  };
  const depositMinor =
    spentMinor +
    BALANCE_LEFT_MINOR +
    demo.orders.reduce((sum, order) => sum + moneyOf(order).refundedMinor, 0);
  await book({
    kind: 'deposit',
    amountMinor: depositMinor,
    createdAtMicros: firstMicros - 3_600_000_000,
    orderId: null,
    reference: 'demo deposit',
  });
  const sellerNames = new Map(demo.sellers.map((seller) => [seller.id, seller.name]));
  for (const [index, order] of demo.orders.entries()) {
    const createdAtMicros = microsOf(order.createdAt);
    const id = buildOrderId({
      epochSeconds: Math.floor(createdAtMicros / 1_000_000),
      serial: must(serials[index], 'a serial for every order'),
      round: deps.orderIdRounds,
    });
    await seedOrder(tx, { order, id, createdAtMicros, sellerNames, writers: deps.writers });
    const money = moneyOf(order);
    await book({
      kind: 'charge',
      amountMinor: money.chargedMinor,
      createdAtMicros,
      orderId: id,
      reference: null,
    });
    await book({
      kind: 'refund',
      amountMinor: money.refundedMinor,
      createdAtMicros,
      orderId: id,
      reference: null,
    });
  }
  await updateDemoAccount(tx, DEMO_ACCOUNT.id, balanceMinor);
}

async function seedOrder(
  tx: Tx,
  past: {
    readonly order: DemoOrder;
    readonly id: string;
    readonly createdAtMicros: number;
    readonly sellerNames: ReadonlyMap<string, string>;
    readonly writers: DemoWriters;
  },
): Promise<void> {
  const { order, id, createdAtMicros, writers } = past;
  const imported = isImported(order);
  const isDelivered = order.items.some((item) => item.quantity.shipped > 0);
  const idempotencyKey = imported ? null : uuidFrom(id);
  await insertPastOrder(tx, {
    id,
    accountId: DEMO_ACCOUNT.id,
    status: order.status,
    heldFrom: order.status === 'held' ? 'processing' : null,
    createdAtMicros,
    completedAtMicros: isDelivered ? createdAtMicros : null,
    currency: order.currency,
    decimals: order.decimals,
    discountMinor: order.discountMinor,
    totalPriceMinor: order.totalPriceMinor,
    origin: imported ? 'imported' : 'export-api',
    idempotencyKey,
    isImageRefunded: !imported && order.status === 'closed' && !isDelivered,
    via: imported ? [] : pathBefore(order.status, isDelivered),
    reason: imported ? 'imported from elsewhere' : 'demo order',
  });
  const items = order.items.map((item, index) => ({ ...item, id: orderItemId(id, index) }));
  for (const item of items) {
    const maxPriceMinor = imported ? null : item.unitPriceMinor;
    await insertPastItem(tx, { ...item, ...item.quantity, maxPriceMinor, orderId: id });
    if (imported || item.codes.length === 0) continue;
    const unitIds = await writers.insertUnits(tx, item.offerId, item.codes);
    await sellUnits(tx, { itemId: item.id, unitIds, refundedCount: item.quantity.refunded });
  }
  if (idempotencyKey === null) return;
  const [first] = items;
  const line = must(first, 'an order has an item');
  const body = writers.buildBody({
    id,
    status: order.status,
    createdAtMicros,
    discountMinor: order.discountMinor,
    totalPriceMinor: order.totalPriceMinor,
    items: items.map((item) => ({ ...item, sellerName: past.sellerNames.get(item.sellerId) ?? '' })),
  });
  const fingerprint = fingerprintLine({
    kind: 'manual',
    offerId: line.offerId,
    quantity: line.quantity.ordered,
    maxPriceMinor: line.unitPriceMinor,
  });
  await insertPastRecord(tx, {
    accountId: DEMO_ACCOUNT.id,
    idempotencyKey,
    fingerprint,
    body,
    orderId: id,
    createdAtMicros,
  });
}

function pathBefore(status: DemoOrder['status'], isDelivered: boolean): string[] {
  return status === 'closed' && isDelivered
    ? ['pending', 'processing', 'complete']
    : ['pending', 'processing'];
}

function microsOf(isoText: string): number {
  return Date.parse(isoText) * 1000;
}

/** A UUID that follows from the order id, so that the demo is the same everywhere. */
function uuidFrom(orderId: string): string {
  const digest = createHash('sha256').update(`keyport/demo/${orderId}`).digest('hex');
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return parts.join('-');
}

/** A product that a newcomer can order: standard, cheap, with plenty of stock. Undefined when all is sold. */
export function findExampleProduct(database: Database): Promise<string | undefined> {
  return findExampleProductId(database.kysely);
}
