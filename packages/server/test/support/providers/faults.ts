/** A charge fails in the way that the customer's name selects, such as `cus_lost_1`; all else succeeds. */
import type { TakenCharge } from './books.ts';

export type ChargeCall = {
  readonly attempt: number;
  take(change?: Partial<TakenCharge>): void;
  response(change?: Partial<TakenCharge>): unknown;
  fail(status: number): unknown;
  /** A body that is not the provider's, with status 200. */
  garble(body: string): void;
  /** The true response with a wrong signature; without signatures, the response of a different server. */
  forge(): void;
  /** The true response, twice on the same connection. */
  answerTwice(): void;
  reset(): unknown;
};

const FAULTS = {
  ok: (call) => {
    call.take();
    call.response();
  },
  declined: (call) => {
    call.take({ status: 'declined' });
    call.response();
  },
  /** The charge stays in progress until a test ends it. */
  pending: (call) => {
    call.take({ status: 'pending' });
    call.response();
  },
  busy: (call) => call.fail(429),
  locked_out: (call) => call.fail(401),
  in_work_once: (call) => {
    call.take();
    if (call.attempt === 1) call.fail(409);
    else call.response();
  },
  error_before: (call) => call.fail(500),
  error_after: (call) => {
    call.take();
    call.fail(503);
  },
  reset_before: (call) => call.reset(),
  reset_after: (call) => {
    call.take();
    call.reset();
  },
  reset_before_once: (call) => {
    if (call.attempt === 1) return call.reset();
    call.take();
    return call.response();
  },
  reset_after_once: (call) => {
    call.take();
    if (call.attempt === 1) call.reset();
    else call.response();
  },
  silent_before: () => {},
  silent_after: (call) => call.take(),
  garbled: (call) => {
    call.take();
    call.garble('{"status":"pa');
  },
  foreign_order: (call) => {
    call.take();
    call.garble('<html>Welcome to the guest network</html>');
  },
  forged: (call) => {
    call.take();
    call.forge();
  },
  other_order: (call) => {
    call.take();
    call.response({ orderId: '1000000000000001' });
  },
  wrong_amount: (call) => {
    call.take({ amountMinor: 1001 });
    call.response();
  },
  wrong_currency: (call) => {
    call.take({ currency: 'USD' });
    call.response();
  },
  twice: (call) => {
    call.take();
    call.answerTwice();
  },
} satisfies Record<string, (call: ChargeCall) => unknown>;

export type FaultName = keyof typeof FAULTS;

/** The part between `cus_` and an optional number. */
function toFault(customer: string): (call: ChargeCall) => unknown {
  const name = /^cus_([a-z_]+?)(?:_\d+)?$/.exec(customer)?.[1] ?? '';
  const fault = (FAULTS as Record<string, (call: ChargeCall) => unknown>)[name];
  if (fault === undefined) throw new Error(`no such fault: ${customer}`);
  return fault;
}

/** Charges without the fault when the provider works again. */
export function meetCharge(customer: string, call: ChargeCall, isHealed: boolean): unknown {
  return (isHealed ? FAULTS.ok : toFault(customer))(call);
}
