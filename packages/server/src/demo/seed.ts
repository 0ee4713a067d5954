/** Seeds in one transaction, so that a killed process leaves an empty database. */
import { randomUUID } from 'node:crypto';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import type { DrawOrderId } from '@keyport/core/ids';
import { chargeTransfer, depositTransfer, refundTransfer, type Transfer } from '@keyport/core/ledger';
import { orderItemId } from '@keyport/core/orders/place-order';
import { priceRefund } from '@keyport/core/orders/pricing';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { loadNow } from '../db/timestamps.ts';
import { runTransaction } from '../db/transaction.ts';
import { loadHouseAccounts } from '../ledger/house-accounts.sql.ts';
import { bookTransfers } from '../ledger/transfers.sql.ts';
import {
  type KeyStock,
  offerRow,
  productRow,
  readKeys,
  sellerRow,
  writeKeys,
  writeOffers,
  writeProducts,
  writeSellers,
} from '../listings/catalogue.ts';
import { loadOffers, loadProducts, loadSellers, toKeys } from './catalogue.ts';
import { type DemoOrder, loadHistory } from './history.ts';
import * as sql from './seed.sql.ts';

/** The same in every installation, so that the documented examples work. */
export const DEMO_ACCOUNT = { id: '0de30000-0000-4000-8000-000000000001', name: 'Demo reseller' } as const;
export const DEMO_OWNER = {
  accountId: DEMO_ACCOUNT.id,
  name: 'Demo owner',
  email: 'owner@reseller.example',
} as const;
const BALANCE_LEFT_MINOR = 250_000;
const BATCH_SIZE_MAX = 1000;
const SEEDING_DEADLINE_MS = 120_000;

type SeedParts = {
  readonly database: Database;
  readonly stock: KeyStock;
  readonly drawOrderId: DrawOrderId;
  readonly publicUrl: string;
  readonly onSeeding?: () => void;
};

/** Seeds an empty database; returns whether the demo reseller exists afterwards. */
export async function seedDemo(parts: SeedParts): Promise<boolean> {
  const limits = {
    statementTimeoutMs: SEEDING_DEADLINE_MS,
    deadlineMs: SEEDING_DEADLINE_MS,
    // The planner has no statistics about tables that are being filled, so it would read them completely
    // for each batch.
    keepsPlans: true,
  };
  return runTransaction(parts.database, limits, async (tx) => {
    await sql.lockSeeding(tx);
    if (!(await sql.isEmpty(tx))) return sql.hasAccount(tx, DEMO_ACCOUNT.id);
    parts.onSeeding?.();
    const sellers = loadSellers();
    const products = loadProducts(parts.publicUrl);
    const listings = loadOffers(products, sellers);
    await writeSellers(
      tx,
      sellers.map((seller) => sellerRow(seller.id, seller)),
    );
    const productRows = products.map(({ product }) => productRow(product.id, product));
    for (const rows of batches(productRows)) await writeProducts(tx, rows);
    const offerRows = listings.map(({ offer }) => offerRow(offer.id, offer));
    for (const rows of batches(offerRows)) await writeOffers(tx, rows);
    // Past orders come first, because they take every existing unit.
    await seedPast(tx, parts, loadHistory(listings, sellers, await loadNow(tx)));
    const { codes } = readKeys(listings.flatMap(toKeys), (index) => `keys[${index}].code`);
    for (const rows of batches(codes)) await writeKeys(tx, parts.stock, rows);
    await sql.forgetPastEvents(tx);
    await logChanges(tx, { productIds: productRows.map(({ id }) => id) });
    return true;
  });
}

function* batches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE_MAX)
    yield rows.slice(start, start + BATCH_SIZE_MAX);
}

async function seedPast(tx: Tx, parts: SeedParts, orders: readonly DemoOrder[]): Promise<void> {
  const house = await loadHouseAccounts(tx);
  const firstMicros = Math.min(...orders.map(({ createdAtMicros }) => createdAtMicros));
  const openedMicros = firstMicros - MICROS_PER_HOUR;
  await sql.insertDemoAccount(tx, { ...DEMO_ACCOUNT, createdAtMicros: openedMicros });
  let balanceMinor = 0;
  const book = async (
    transfer: Transfer,
    { createdAtMicros, id }: { createdAtMicros: number; id?: string },
  ) => {
    if (transfer.amountMinor === 0) return;
    balanceMinor = transfer.prepaidBalanceAfterMinor ?? balanceMinor;
    await bookTransfers(tx, DEMO_ACCOUNT.id, [transfer], house, {
      orderId: id ?? null,
      reference: transfer.kind === 'deposit' ? 'demo deposit' : null,
      atMicros: createdAtMicros,
    });
  };
  const charged = (order: DemoOrder) => (order.isImported ? 0 : order.totalPriceMinor);
  const depositMinor = orders.reduce((sum, order) => sum + charged(order), BALANCE_LEFT_MINOR);
  await book(depositTransfer(depositMinor, 0), { createdAtMicros: openedMicros });
  for (const order of orders) {
    const id = parts.drawOrderId(Math.floor(order.createdAtMicros / 1_000_000));
    const past = { ...order, id };
    await seedOrder(tx, parts.stock, past);
    await book(chargeTransfer('balance', charged(order), balanceMinor), past);
    await book(refundTransfer('balance', toRefund(order), balanceMinor), past);
  }
  await sql.updateDemoAccount(tx, DEMO_ACCOUNT.id);
}

function toRefund({ isImported, items: [item], totalPriceMinor, discountMinor, status }: DemoOrder): number {
  if (isImported || item === undefined || item.quantity.refunded === 0) return 0;
  return priceRefund({
    unitPriceMinor: item.unitPriceMinor,
    quantity: item.quantity.refunded,
    orderSumMinor: totalPriceMinor + discountMinor,
    orderTotalPriceMinor: totalPriceMinor,
    alreadyRefundedMinor: 0,
    isLast: status === 'closed',
  });
}

async function seedOrder(tx: Tx, stock: KeyStock, order: DemoOrder & { readonly id: string }): Promise<void> {
  const items = order.items.map((item, index) => ({ ...item, id: orderItemId(order.id, index) }));
  const past = { ...order, items, accountId: DEMO_ACCOUNT.id };
  if (order.isImported) return sql.insertImportedOrder(tx, past);
  const codes = items.flatMap(({ offerId, codes }) =>
    codes.map((code) => ({ offerId, code, kind: 'text' as const })),
  );
  if (codes.length > 0) await stock.insertSealedKeys(tx, await stock.sealCodes(tx, codes));
  await sql.insertPastOrder(tx, past, randomUUID());
}

/** Undefined if everything is sold. */
export function findExampleProduct(database: Database): Promise<string | undefined> {
  return sql.findExampleProductId(database.db);
}
