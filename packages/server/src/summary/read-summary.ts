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
import { loadHeldAmounts, loadRefundedUnits, loadSums } from './summary.sql.ts';

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
    const computeCount = (status: OrderStatus) => this.#byStatus.get(status) ?? 0;
    const byCode = Array.from(this.#byCode, ([code, count]) => ({ code, count }));
    return {
      orders: ORDER_STATUSES.reduce((sum, status) => sum + computeCount(status), 0),
      ordersByStatus: Object.fromEntries(
        ORDER_STATUSES.map((status) => [status, computeCount(status)]),
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
  function add<Row extends { readonly bucketMicros: number }>(
    rows: readonly Row[],
    change: (sums: Sums, row: Row) => void,
  ): void {
    for (const row of rows)
      for (const sums of [buckets.get(row.bucketMicros), totals]) if (sums !== undefined) change(sums, row);
  }
  add(await loadSums(tx, 'order', range), (sums, { label, count }) =>
    sums.addOrders(label as OrderStatus, count),
  );
  add(await loadHeldAmounts(tx, range), (sums, { amountMinor }) => {
    sums.heldMinor += BigInt(amountMinor);
  });
  add(await loadSums(tx, 'paid-unit', range), (sums, { units }) => {
    sums.units += units;
  });
  add(await loadRefundedUnits(tx, range), (sums, { units }) => {
    sums.refundedUnits += units;
  });
  add(await loadSums(tx, 'transfer', range), (sums, { label, amountMinor }) => {
    if (label.startsWith('charge ')) sums.turnoverMinor += BigInt(amountMinor);
    if (label.startsWith('refund ')) sums.refundMinor += BigInt(amountMinor);
  });
  add(await loadSums(tx, 'rejection', range), (sums, { label, count }) => sums.addRejections(label, count));
  add(await loadSums(tx, 'stock-out', range), (sums, { count }) => {
    sums.stockOuts += count;
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
