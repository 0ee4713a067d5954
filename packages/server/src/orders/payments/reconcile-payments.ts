/** After a restore the database lacks orders, charges and refunds that the provider has. */
import type { Db } from '../../db/schema.ts';
import type { ListTakenPayments, TakenPayment } from '../../payments/gateway.ts';
import { type BookedPayment, findNewestOrderSeconds, listBookedPayments } from './payments.sql.ts';

export type PaymentDifference = TakenPayment & {
  /** `unknown-order`: none with this id pays through a provider. */
  readonly problem: 'unknown-order' | 'not-booked' | 'second-payment' | 'refund-not-booked';
};

/** Covers clock differences and slow charges. */
const MARGIN_SECONDS = 3600;
const LOOKUP_SIZE = 500;

export async function findComparisonStart(db: Db): Promise<number | undefined> {
  const newest = await findNewestOrderSeconds(db);
  return newest === undefined ? undefined : newest - MARGIN_SECONDS;
}

/** `compared`: the number of the provider's payments. */
export async function reconcilePayments(
  db: Db,
  listTaken: ListTakenPayments,
  sinceSeconds: number,
): Promise<{ readonly compared: number; readonly differences: readonly PaymentDifference[] }> {
  const differences: PaymentDifference[] = [];
  let compared = 0;
  let some: TakenPayment[] = [];
  const compareSome = async () => {
    const orderIds = some.map(({ orderId }) => orderId);
    const booked = await listBookedPayments(db, orderIds);
    const byOrder = new Map(booked.map((payment) => [payment.orderId, payment]));
    for (const taken of some) {
      const problem = compare(taken, byOrder.get(taken.orderId));
      if (problem !== undefined) differences.push({ ...taken, problem });
    }
    compared += some.length;
    some = [];
  };
  for await (const taken of listTaken(sinceSeconds)) {
    some.push(taken);
    if (some.length === LOOKUP_SIZE) await compareSome();
  }
  await compareSome();
  return { compared, differences };
}

function compare(
  taken: TakenPayment,
  booked: BookedPayment | undefined,
): PaymentDifference['problem'] | undefined {
  const isKept = taken.refundedMinor < taken.amountMinor;
  if (booked === undefined) return isKept ? 'unknown-order' : undefined;
  if (booked.state !== 'paid' && booked.state !== 'amount_mismatch') return isKept ? 'not-booked' : undefined;
  if (booked.reference !== null && booked.reference !== taken.reference)
    return isKept ? 'second-payment' : undefined;
  return taken.refundedMinor > booked.refundedMinor ? 'refund-not-booked' : undefined;
}
