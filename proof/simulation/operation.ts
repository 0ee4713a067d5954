/**
 * Operations name their targets by a number between 0 and 1 ("the order four tenths down the list"), so that
 * a run without some of them is still a run.
 */
import { createRandom, type Random } from '../../packages/server/test/support/random.ts';
import type { Fault, Faults } from './faulty-engine.ts';

/** Picks one of the items that exist when the operation runs. */
type Share = number;

export type OrderRequest = {
  readonly account: Share;
  readonly isAuto: boolean;
  readonly target: Share;
  readonly quantity: number;
  /** Cents above (or below) the price of the named, or else the cheapest, offer. */
  readonly overPriceMinor: number;
};

export type BookingKind = 'deposit' | 'credit' | 'debit' | 'payout';

export type Action =
  | { readonly name: 'order'; readonly request: OrderRequest }
  /** Concurrent orders, each on one of two nodes. */
  | {
      readonly name: 'orders';
      readonly requests: readonly (OrderRequest & { readonly node: 0 | 1; readonly isDuplicate: boolean })[];
    }
  /** A retry too soon, at the first possible moment, or later; or with a different payload. */
  | {
      readonly name: 'repeat';
      readonly request: Share;
      readonly when: 'now' | 'just-before' | 'at-the-edge';
      readonly isOther: boolean;
    }
  | {
      readonly name: 'restock';
      readonly offer: Share;
      readonly count: number;
      readonly isImage: boolean;
      readonly old: Share | null;
    }
  | { readonly name: 'withdraw'; readonly offer: Share; readonly quantity: number; readonly isImage: boolean }
  | { readonly name: 'price'; readonly offer: Share; readonly priceMinor: number }
  | { readonly name: 'pause'; readonly offer: Share }
  | { readonly name: 'product'; readonly product: Share; readonly isVisible: boolean }
  | {
      readonly name: 'booking';
      readonly kind: BookingKind;
      readonly account: Share;
      readonly amountMinor: number;
      readonly old: Share | null;
    }
  /** A read by its reseller or a different one, or of all orders of an account in one state. */
  | { readonly name: 'read'; readonly order: Share; readonly isForeign: boolean }
  | { readonly name: 'history'; readonly account: Share; readonly order: Share }
  | {
      readonly name: 'account';
      readonly account: Share;
      readonly change: 'suspend' | 'discount' | 'hold' | 'limits';
      readonly value: number;
    }
  | { readonly name: 'hold' | 'release' | 'cancel'; readonly order: Share; readonly isFitting: boolean }
  | {
      readonly name: 'refund';
      readonly order: Share;
      readonly isFitting: boolean;
      readonly quantity: number | null;
      readonly units: 'stay' | 'return' | 'withdraw';
    }
  | {
      readonly name: 'keys';
      readonly order: Share;
      readonly isFitting: boolean;
      readonly edge: 'none' | 'last' | 'over';
      readonly isForeign: boolean;
    }
  | { readonly name: 'worker'; readonly isRefusingRefunds: boolean }
  | { readonly name: 'fold-sums' }
  | { readonly name: 'wait'; readonly micros: number }
  | { readonly name: 'midnight'; readonly isOver: boolean };

/** The fault happens once, or at every round trip in turn until an attempt completes. */
type PlannedFault = { readonly fault: Faults; readonly at: number | 'every' };

export type Operation = {
  readonly action: Action;
  readonly node: 0 | 1;
  readonly plannedFault: PlannedFault | null;
};

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

/** An internal fault, lost races, timeouts, a standby, too many sessions. */
const SQL_STATES = ['XX000', '40001', '40P01', '57014', '55P03', '25006', '53300'] as const;

export function generateOperations(seed: string, count: number): Operation[] {
  const random = createRandom(`${seed}/operations`);
  return Array.from({ length: count }, () => ({
    action: generateAction(random),
    node: random.chance(0.5) ? 0 : 1,
    plannedFault: random.chance(0.2) ? planFault(random) : null,
  }));
}

function planFault(random: Random): PlannedFault {
  const at = random.chance(0.4) ? 'every' : random.between(1, 14);
  const first = drawFault(random);
  if (random.chance(0.7)) return { fault: first, at };
  return { fault: { ...first, next: { fault: drawFault(random), after: random.between(1, 6) } }, at };
}

function drawFault(random: Random): Fault {
  return random.weighted<Fault>([
    [{ kind: 'error', sqlState: random.pick(SQL_STATES) }, 4],
    [{ kind: 'shutdown' }, 1],
    [{ kind: 'lost-before' }, 2],
    [{ kind: 'lost-after' }, 3],
    [{ kind: 'crash-before' }, 1],
    [{ kind: 'crash-after' }, 2],
  ]);
}

function generateAction(random: Random): Action {
  const make = random.weighted<(random: Random) => Action>([
    [(one) => ({ name: 'order', request: orderRequest(one) }), 34],
    [simultaneousOrders, 10],
    [repeat, 12],
    [restock, 7],
    [
      (one) => ({
        name: 'withdraw',
        offer: one.unit(),
        quantity: one.between(1, 6),
        isImage: one.chance(0.2),
      }),
      2,
    ],
    [(one) => ({ name: 'price', offer: one.unit(), priceMinor: one.between(1, 400) }), 4],
    [(one) => ({ name: 'pause', offer: one.unit() }), 3],
    [(one) => ({ name: 'product', product: one.unit(), isVisible: one.chance(0.6) }), 1],
    [booking, 7],
    [(one) => ({ name: 'read', order: one.unit(), isForeign: one.chance(0.2) }), 2],
    [(one) => ({ name: 'history', account: one.unit(), order: one.unit() }), 2],
    [accountChange, 2],
    [
      (one) => ({
        name: one.pick(['hold', 'release', 'cancel']),
        order: one.unit(),
        isFitting: one.chance(0.8),
      }),
      9,
    ],
    [refund, 12],
    [keys, 7],
    [(one) => ({ name: 'worker', isRefusingRefunds: one.chance(0.2) }), 6],
    [() => ({ name: 'fold-sums' }), 2],
    [wait, 8],
    [(one) => ({ name: 'midnight', isOver: one.chance(0.5) }), 1],
  ]);
  return make(random);
}

function orderRequest(random: Random): OrderRequest {
  return {
    account: random.unit(),
    isAuto: random.chance(0.5),
    target: random.unit(),
    quantity: random.weighted([
      [1, 5],
      [random.between(2, 6), 4],
      [random.between(7, 25), 1],
    ]),
    overPriceMinor: random.weighted([
      [0, 3],
      [random.between(1, 300), 5],
      [-1, 1],
      [-random.between(2, 50), 1],
    ]),
  };
}

function simultaneousOrders(random: Random): Action {
  const requests = Array.from({ length: random.between(2, 12) }, () => ({
    ...orderRequest(random),
    node: random.chance(0.7) ? (0 as const) : (1 as const),
    isDuplicate: random.chance(0.15),
  }));
  return { name: 'orders', requests };
}

function repeat(random: Random): Action {
  return {
    name: 'repeat',
    // A recent request may have an unknown outcome.
    request: 1 - random.unit() ** 2,
    when: random.pick(['now', 'just-before', 'at-the-edge']),
    isOther: random.chance(0.2),
  };
}

function restock(random: Random): Action {
  return {
    name: 'restock',
    offer: random.unit(),
    count: random.between(1, 30),
    isImage: random.chance(0.15),
    old: random.chance(0.3) ? random.unit() : null,
  };
}

function booking(random: Random): Action {
  return {
    name: 'booking',
    kind: random.weighted([
      ['deposit', 6],
      ['credit', 1],
      ['debit', 2],
      ['payout', 1],
    ]),
    account: random.unit(),
    amountMinor: random.weighted([
      [random.between(1, 5000), 3],
      [random.between(5000, 20_000), 1],
    ]),
    old: random.chance(0.2) ? random.unit() : null,
  };
}

function accountChange(random: Random): Action {
  const change = random.pick(['suspend', 'discount', 'hold', 'limits'] as const);
  return { name: 'account', account: random.unit(), change, value: random.between(0, 10_000) };
}

function refund(random: Random): Action {
  return {
    name: 'refund',
    order: random.unit(),
    isFitting: random.chance(0.85),
    quantity: random.chance(0.6)
      ? random.weighted([
          [1, 3],
          [random.between(1, 6), 2],
        ])
      : null,
    units: random.pick(['stay', 'return', 'withdraw']),
  };
}

function keys(random: Random): Action {
  return {
    name: 'keys',
    order: random.unit(),
    isFitting: random.chance(0.8),
    edge: random.weighted([
      ['none', 12],
      ['last', 1],
      ['over', 1],
    ]),
    isForeign: random.chance(0.1),
  };
}

function wait(random: Random): Action {
  const micros = random.weighted([
    [random.between(1, 3 * SECOND), 8],
    [random.between(10 * SECOND, 60 * SECOND), 4],
    [31 * 60 * SECOND, 3],
    [random.between(HOUR, 30 * HOUR), 2],
    [49 * HOUR, 1],
    [31 * 24 * HOUR, 0.3],
  ]);
  return { name: 'wait', micros };
}
