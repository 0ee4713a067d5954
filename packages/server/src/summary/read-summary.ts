import { CURRENCY } from '@keyport/contract/formats';
import type { Summary, SummarySums } from '@keyport/contract/operators/summary';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { ORDER_STATUSES, type OrderStatus } from '@keyport/core/orders/order-status';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { loadNow } from '../db/timestamps.ts';
import { runTransaction } from '../db/transaction.ts';
import { BUCKET_MICROS, readSumRange, type SumRange } from '../ledger/reports/sum-range.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { loadOrderSums, loadRejectionSums, loadSales, loadStockOuts } from './summary.sql.ts';

/** The sums of one bucket, or of all. */
class Sums {
  readonly #byStatus = new Map<OrderStatus, number>();
  readonly #byCode = new Map<string, number>();
  heldMinor = 0n;
  units = 0;
  refundedUnits = 0;
  turnoverMinor = 0n;
  refundMinor = 0n;
  stockOuts = 0;

  addOrders(status: OrderStatus, orders: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + orders);
  }

  addRejections(code: string, rejections: number): void {
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + rejections);
  }

  show(): SummarySums {
    const countOf = (status: OrderStatus) => this.#byStatus.get(status) ?? 0;
    const byCode = Array.from(this.#byCode, ([code, count]) => ({ code, count }));
    return {
      orders: ORDER_STATUSES.reduce((sum, status) => sum + countOf(status), 0),
      ordersByStatus: Object.fromEntries(
        ORDER_STATUSES.map((status) => [status, countOf(status)]),
      ) as SummarySums['ordersByStatus'],
      heldAmount: formatMinor(this.heldMinor),
      units: this.units,
      unitsRefunded: this.refundedUnits,
      turnover: formatMinor(this.turnoverMinor),
      refunds: formatMinor(this.refundMinor),
      rejections: byCode.reduce((sum, { count }) => sum + count, 0),
      rejectionsByCode: byCode.toSorted(
        (one, other) => other.count - one.count || (one.code < other.code ? -1 : 1),
      ),
      stockOuts: this.stockOuts,
    };
  }
}

export function readSummary(
  database: Database,
  query: OperationRequest<'getSummary'>['query'],
): Promise<Summary> {
  return runTransaction(database, { isSnapshot: true }, async (tx) =>
    summarize(tx, readSumRange(query, await loadNow(tx))),
  );
}

async function summarize(tx: Tx, range: SumRange): Promise<Summary> {
  const { bucket, fromMicros, beforeMicros } = range;
  const totals = new Sums();
  const buckets = new Map<number, Sums>();
  for (let micros = fromMicros; micros < beforeMicros; micros += BUCKET_MICROS[bucket])
    buckets.set(micros, new Sums());
  const add = (bucketMicros: number, change: (sums: Sums) => void) => {
    for (const sums of [buckets.get(bucketMicros), totals]) if (sums !== undefined) change(sums);
  };
  for (const { bucketMicros, status, ...row } of await loadOrderSums(tx, range))
    add(bucketMicros, (sums) => {
      sums.addOrders(status, row.orders);
      sums.units += row.units;
      sums.refundedUnits += row.refundedUnits;
      if (status === 'held') sums.heldMinor += BigInt(row.totalMinor);
    });
  for (const { bucketMicros, kind, amountMinor } of await loadSales(tx, range))
    add(bucketMicros, (sums) => {
      if (kind === 'charge') sums.turnoverMinor += BigInt(amountMinor);
      else sums.refundMinor += BigInt(amountMinor);
    });
  for (const { bucketMicros, byCode } of await loadRejectionSums(tx, range))
    add(bucketMicros, (sums) => {
      for (const [code, count] of Object.entries(byCode)) sums.addRejections(code, count);
    });
  for (const { bucketMicros, offers } of await loadStockOuts(tx, range))
    add(bucketMicros, (sums) => {
      sums.stockOuts += offers;
    });
  return {
    bucket,
    from: formatDateTime(fromMicros),
    to: formatDateTime(beforeMicros - 1),
    currency: CURRENCY,
    totals: totals.show(),
    buckets: Array.from(buckets, ([micros, sums]) => ({ from: formatDateTime(micros), ...sums.show() })),
  };
}
