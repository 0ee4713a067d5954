import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { isLegalMove } from '../../test/model.ts';
import {
  type ChangeOutcome,
  type ChangeRejection,
  type DeliveredKey,
  decideCancel,
  decideHold,
  decidePaid,
  decideRefund,
  decideRelease,
  decideUnpaid,
  type ItemState,
  type OrderChange,
  type OrderState,
  type RefundedUnits,
  type RefundLine,
} from './decide-change.ts';
import { type HeldFrom, isHeldFrom, type OrderStatus } from './order-status.ts';

/** Two units at 100, 10 % off, paid through a gateway. */
const TOTAL_MINOR = 180;
const ITEM: ItemState = {
  id: 'i1',
  offerId: 'o1',
  unitPriceMinor: 100,
  ordered: 2,
  invoiced: 0,
  shipped: 0,
  refunded: 0,
};
const PAID_ITEM: ItemState = { ...ITEM, invoiced: 2 };
const DELIVERED_ITEM: ItemState = { ...PAID_ITEM, shipped: 2 };

function anOrder(change: Partial<OrderState> = {}): OrderState {
  return {
    id: '2000000000000000',
    status: 'pending_payment',
    heldFrom: null,
    paymentMethod: 'gateway',
    totalPriceMinor: TOTAL_MINOR,
    refundedMinor: 0,
    items: [ITEM],
    hasUnits: true,
    balanceMinor: 1000,
    isUnderReview: false,
    ...change,
  };
}

/** An order in each status, and held orders by their earlier status. */
const SITUATIONS = {
  pending: { status: 'pending' },
  pending_payment: { status: 'pending_payment' },
  processing: { status: 'processing', items: [PAID_ITEM] },
  'held from pending': { status: 'held', heldFrom: 'pending' },
  'held from pending_payment': { status: 'held', heldFrom: 'pending_payment' },
  'held from processing': { status: 'held', heldFrom: 'processing', items: [PAID_ITEM] },
  complete: { status: 'complete', items: [DELIVERED_ITEM] },
  canceled: { status: 'canceled', hasUnits: false },
  closed: { status: 'closed', refundedMinor: TOTAL_MINOR, items: [{ ...DELIVERED_ITEM, refunded: 2 }] },
} as const satisfies Record<Exclude<OrderStatus, 'held'> | `held from ${HeldFrom}`, Partial<OrderState>>;

type Situation = keyof typeof SITUATIONS;

const ACTIONS = {
  paid: (order) => decidePaid(order),
  unpaid: (order) => decideUnpaid(order),
  hold: (order) => decideHold(order),
  release: (order) => decideRelease(order),
  cancel: (order) => decideCancel(order),
  refund: (order) => toRefund(order, { lines: undefined, units: 'stay' }),
} as const satisfies Record<string, (order: OrderState) => ChangeOutcome | OrderChange | undefined>;

/** Refunded keys come last. */
function toKeys(order: OrderState, isRead = false): DeliveredKey[] {
  if (order.status !== 'complete') return [];
  return order.items.flatMap(({ id: itemId, ordered, shipped, refunded }, index) =>
    Array.from({ length: shipped }, (_, place) => ({
      id: index * 100 + place + 1,
      itemId,
      isRefunded: place >= ordered - refunded,
      isRead,
    })),
  );
}

function toRefund(order: OrderState, request: Parameters<typeof decideRefund>[1], keys = toKeys(order)) {
  return decideRefund(order, request, keys);
}

type Action = keyof typeof ACTIONS;

/** The change in words (new statuses, moved units and money), the code of a rejection, or `nothing`. */
function describe(result: ChangeOutcome | OrderChange | undefined): string {
  if (result === undefined) return 'nothing';
  if ('ok' in result && !result.ok) return result.rejection.code;
  const change = 'ok' in result ? result.value : result;
  const memory = change.heldFrom === null ? '' : ` from ${change.heldFrom}`;
  const money = change.transfers.map(({ kind }) => ` ${kind}`).join('');
  const images = change.isImageRefunded ? ' for image keys' : '';
  return `${change.path.join(' ')}${memory}; ${change.units.kind}${money}${images}`;
}

const PAID = 'processing complete; deliver charge';
const REFUNDED = 'closed; withdraw refund';
const NOT_ALLOWED = { hold: 'illegal-transition', release: 'illegal-transition' };
const IS_PAID = { paid: 'nothing', unpaid: 'nothing', cancel: 'order-is-paid' };
const IS_OPEN = {
  unpaid: 'canceled; release',
  cancel: 'canceled; release',
  refund: 'order-is-not-paid',
};

/** R12 to R15. */
const EXPECTED: Record<Situation, Record<Action, string>> = {
  pending: { ...NOT_ALLOWED, ...IS_OPEN, paid: PAID, hold: 'held from pending; reserve' },
  pending_payment: { ...NOT_ALLOWED, ...IS_OPEN, paid: PAID, hold: 'held from pending_payment; reserve' },
  processing: { ...NOT_ALLOWED, ...IS_PAID, hold: 'held from processing; reserve', refund: REFUNDED },
  'held from pending': {
    ...NOT_ALLOWED,
    ...IS_OPEN,
    paid: 'pending processing held from processing; reserve charge',
    release: 'pending; reserve',
  },
  'held from pending_payment': {
    ...NOT_ALLOWED,
    ...IS_OPEN,
    paid: 'pending_payment processing held from processing; reserve charge',
    release: 'pending_payment; reserve',
  },
  'held from processing': {
    ...NOT_ALLOWED,
    ...IS_PAID,
    release: 'processing complete; deliver',
    refund: REFUNDED,
  },
  complete: { ...NOT_ALLOWED, ...IS_PAID, refund: 'closed; take-back refund' },
  canceled: {
    ...NOT_ALLOWED,
    paid: '; none charge refund',
    unpaid: 'nothing',
    cancel: 'illegal-transition',
    refund: 'illegal-transition',
  },
  closed: { ...NOT_ALLOWED, ...IS_PAID, refund: 'illegal-transition' },
};

test('every action follows R12 to R15 in every status', () => {
  const actual: Record<string, Record<string, string>> = {};
  for (const [situation, change] of Object.entries(SITUATIONS)) {
    actual[situation] = {};
    for (const [name, decide] of Object.entries(ACTIONS)) {
      actual[situation][name] = describe(decide(anOrder(change)));
    }
  }
  deepEqual(actual, EXPECTED);
});

function toChange(outcome: ChangeOutcome | OrderChange | undefined): OrderChange {
  ok(outcome !== undefined);
  if (!('ok' in outcome)) return outcome;
  ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

function toRejection(outcome: ChangeOutcome): ChangeRejection {
  ok(!outcome.ok);
  return outcome.rejection;
}

test('a paid order invoices and ships every unit and charges its total once', () => {
  deepEqual(decidePaid(anOrder()), {
    status: 'complete',
    heldFrom: null,
    path: ['processing', 'complete'],
    items: [DELIVERED_ITEM],
    transfers: [
      { kind: 'charge', from: 'gateway', to: 'sales', amountMinor: 180, prepaidBalanceAfterMinor: null },
    ],
    units: { kind: 'deliver' },
    isImageRefunded: false,
  });
});

test('a paid order of an account under review is held, invoiced but not shipped, and keeps its units', () => {
  const change = toChange(decidePaid(anOrder({ isUnderReview: true })));
  equal(describe(change), 'processing held from processing; reserve charge');
  deepEqual(change.units, { kind: 'reserve', expires: false });
  deepEqual(change.items, [PAID_ITEM]);
});

test('a paid order that only image keys could fill is refunded in full, whether it was held or not', () => {
  const rows: [change: Partial<OrderState>, path: readonly OrderStatus[]][] = [
    [{}, ['processing', 'closed']],
    [{ isUnderReview: true }, ['processing', 'closed']],
    [SITUATIONS['held from pending_payment'], ['pending_payment', 'processing', 'closed']],
  ];
  for (const [change, path] of rows) {
    const paid = toChange(decidePaid(anOrder({ ...change, hasUnits: false })));
    deepEqual(paid.path, path);
    deepEqual([paid.status, paid.heldFrom, paid.isImageRefunded], ['closed', null, true]);
    deepEqual(paid.items, [{ ...PAID_ITEM, refunded: 2 }]);
    deepEqual(
      paid.transfers.map(({ kind, amountMinor }) => [kind, amountMinor]),
      [
        ['charge', TOTAL_MINOR],
        ['refund', TOTAL_MINOR],
      ],
    );
  }
});

/** The order after a change, as the database would load it the next time. */
function evolve(order: OrderState, change: OrderChange): OrderState {
  const booked = change.transfers.reduce(
    (sum, { kind, amountMinor }) => sum + (kind === 'refund' ? amountMinor : 0),
    order.refundedMinor,
  );
  return {
    ...order,
    status: change.status,
    heldFrom: change.heldFrom,
    items: change.items,
    refundedMinor: booked,
    hasUnits: order.hasUnits && change.units.kind !== 'release' && change.units.kind !== 'withdraw',
    balanceMinor: change.transfers.at(-1)?.prepaidBalanceAfterMinor ?? order.balanceMinor,
  };
}

test('a payment that comes after the cancellation is booked and refunded, and changes nothing else', () => {
  const order = anOrder(SITUATIONS.canceled);
  deepEqual(decidePaid(order), {
    status: 'canceled',
    heldFrom: null,
    path: [],
    items: [ITEM],
    transfers: [
      { kind: 'charge', from: 'gateway', to: 'sales', amountMinor: 180, prepaidBalanceAfterMinor: null },
      { kind: 'refund', from: 'sales', to: 'gateway', amountMinor: 180, prepaidBalanceAfterMinor: null },
    ],
    units: { kind: 'none' },
    isImageRefunded: false,
  });
});

test('a payment that is reported twice is booked once, even if the order was canceled before', () => {
  for (const situation of ['pending', 'pending_payment', 'held from pending_payment', 'canceled'] as const) {
    const order = anOrder(SITUATIONS[situation]);
    equal(decidePaid(evolve(order, toChange(decidePaid(order)))), undefined, situation);
  }
});

test('a payment that is refunded immediately leaves the balance as it was', () => {
  for (const change of [SITUATIONS.canceled, { hasUnits: false }]) {
    const order = anOrder({ ...change, paymentMethod: 'balance', balanceMinor: 200 });
    deepEqual(
      toChange(decidePaid(order)).transfers.map(({ prepaidBalanceAfterMinor }) => prepaidBalanceAfterMinor),
      [20, 200],
    );
  }
});

test('an order that costs nothing is paid, and refunded, without a transfer', () => {
  const free = { totalPriceMinor: 0 };
  equal(describe(decidePaid(anOrder(free))), 'processing complete; deliver');
  equal(
    describe(decidePaid(anOrder({ ...free, hasUnits: false }))),
    'processing closed; none for image keys',
  );
  equal(describe(decidePaid(anOrder({ ...free, ...SITUATIONS.canceled }))), '; none');
  const refund = toRefund(anOrder({ ...free, ...SITUATIONS.complete }), {
    lines: undefined,
    units: 'stay',
  });
  equal(describe(refund), 'closed; take-back');
});

test('a hold stops the clock of the reservation; a release to a pending payment restarts it', () => {
  const held = evolve(anOrder(), toChange(decideHold(anOrder())));
  deepEqual(toChange(decideHold(anOrder())).units, { kind: 'reserve', expires: false });
  const released = toChange(decideRelease(held));
  deepEqual(released.units, { kind: 'reserve', expires: true });
  deepEqual([released.status, released.heldFrom], ['pending_payment', null]);
});

test('releasing a paid order delivers it', () => {
  const change = toChange(decideRelease(anOrder(SITUATIONS['held from processing'])));
  deepEqual(change.items, [DELIVERED_ITEM]);
  deepEqual([change.status, change.heldFrom], ['complete', null]);
});

test('an imported order is never changed', () => {
  for (const change of Object.values(SITUATIONS)) {
    const imported = anOrder({ ...change, paymentMethod: null });
    for (const decide of [ACTIONS.hold, ACTIONS.release, ACTIONS.cancel, ACTIONS.refund]) {
      ok(!decide(imported).ok);
    }
    equal(decideUnpaid(imported), undefined);
  }
  const pending = anOrder({ status: 'pending', paymentMethod: null });
  for (const decide of [ACTIONS.hold, ACTIONS.cancel, ACTIONS.refund]) {
    deepEqual(toRejection(decide(pending)), { code: 'order-was-imported' });
  }
});

type RefundScenario = { order: OrderState; lines: readonly RefundLine[]; keys: DeliveredKey[] };

/** A refund with every possible fault, including read keys, which cannot exist before delivery. */
const ALL_WRONG: RefundScenario = {
  order: anOrder({ status: 'canceled', paymentMethod: null }),
  lines: [
    { itemId: 'i9', quantity: 1 },
    { itemId: 'i1', quantity: 3, keyIds: ['9', '2', '1'] },
  ],
  keys: toKeys(anOrder({ status: 'complete', items: [{ ...DELIVERED_ITEM, refunded: 1 }] }), true),
};

/** One row per refund rejection, in order, with a correction that does not remove the later ones. */
const REFUND_REJECTIONS = {
  'order-was-imported': {
    expected: { code: 'order-was-imported' },
    correction: ({ order }) => ({ order: { ...order, paymentMethod: 'gateway' } }),
  },
  'illegal-transition': {
    expected: { code: 'illegal-transition', from: 'canceled', to: 'closed' },
    correction: ({ order }) => ({ order: { ...order, status: 'processing' } }),
  },
  'order-is-not-paid': {
    expected: { code: 'order-is-not-paid' },
    correction: ({ order }) => ({ order: { ...order, items: [PAID_ITEM] } }),
  },
  'unknown-item': {
    expected: { code: 'unknown-item', lineIndex: 0 },
    correction: ({ lines }) => ({ lines: lines.slice(1) }),
  },
  'too-many-units': {
    expected: { code: 'too-many-units', lineIndex: 0, refundable: 2 },
    correction: () => ({ lines: [{ itemId: 'i1', quantity: 2, keyIds: ['9', '2'] }] }),
  },
  'refund-whole-before-delivery': {
    expected: { code: 'refund-whole-before-delivery' },
    correction: ({ order }) => ({ order: { ...order, status: 'complete', items: [DELIVERED_ITEM] } }),
  },
  'unknown-key': {
    expected: { code: 'unknown-key', lineIndex: 0, keyIndex: 0 },
    correction: () => ({ lines: [{ itemId: 'i1', quantity: 1, keyIds: ['2'] }] }),
  },
  'key-was-refunded': {
    expected: { code: 'key-was-refunded', lineIndex: 0, keyIndex: 0 },
    correction: () => ({ lines: [{ itemId: 'i1', quantity: 1, keyIds: ['1'] }] }),
  },
  'keys-were-read': {
    expected: { code: 'keys-were-read' },
    correction: ({ keys }) => ({ keys: keys.map((key) => ({ ...key, isRead: key.id !== 1 })) }),
  },
} satisfies Record<
  // Only a cancellation returns this code; EXPECTED covers it.
  Exclude<ChangeRejection['code'], 'order-is-paid'>,
  { expected: ChangeRejection; correction: (scenario: RefundScenario) => Partial<RefundScenario> }
>;

test('the first applicable rejection of a refund is returned, and a refund without any is carried out', () => {
  let scenario = ALL_WRONG;
  const refund = () => {
    const { order, lines, keys } = scenario;
    return toRefund(order, { lines, units: 'return' }, keys);
  };
  for (const { expected, correction } of Object.values(REFUND_REJECTIONS)) {
    deepEqual(toRejection(refund()), expected);
    scenario = { ...scenario, ...correction(scenario) };
  }
  equal(describe(refund()), 'complete; take-back refund');
});

test('lines that name one item several times are counted together', () => {
  const order = anOrder(SITUATIONS.complete);
  const line = { itemId: 'i1', quantity: 1 };
  const refund = (lines: RefundLine[]) => toRefund(order, { lines, units: 'stay' });
  deepEqual(toRejection(refund([line, line, line])), {
    code: 'too-many-units',
    lineIndex: 2,
    refundable: 0,
  });
  const change = toChange(refund([line, line]));
  equal(change.status, 'closed');
  equal(change.transfers[0]?.amountMinor, TOTAL_MINOR);
});

test('each item of an order is refunded at its own price', () => {
  const second: ItemState = { ...DELIVERED_ITEM, id: 'i2', offerId: 'o2', unitPriceMinor: 50 };
  const order = anOrder({ status: 'complete', totalPriceMinor: 270, items: [DELIVERED_ITEM, second] });
  const change = toChange(toRefund(order, { lines: [{ itemId: 'i2', quantity: 1 }], units: 'stay' }));
  equal(change.transfers[0]?.amountMinor, 45);
  deepEqual(change.items, [DELIVERED_ITEM, { ...second, refunded: 1 }]);
});

test('a refund of units of two items books one transfer, with the share of each line rounded on its own', () => {
  const second: ItemState = { ...DELIVERED_ITEM, id: 'i2', offerId: 'o2', unitPriceMinor: 50 };
  const order = anOrder({
    status: 'complete',
    paymentMethod: 'balance',
    totalPriceMinor: 277,
    items: [DELIVERED_ITEM, second],
  });
  const lines = [
    { itemId: 'i1', quantity: 1 },
    { itemId: 'i2', quantity: 1 },
  ];
  // 92.33 and 46.17 cents are rounded down; their sum, 138.5, would be rounded to 139.
  deepEqual(toChange(toRefund(order, { lines, units: 'stay' })).transfers, [
    { kind: 'refund', from: 'sales', to: 'prepaid', amountMinor: 138, prepaidBalanceAfterMinor: 1138 },
  ]);
});

test('a partial refund leaves the order complete, and the rest can be refunded later', () => {
  const order = anOrder({ ...SITUATIONS.complete, totalPriceMinor: 185 });
  const part = toChange(toRefund(order, { lines: [{ itemId: 'i1', quantity: 1 }], units: 'stay' }));
  deepEqual([part.status, part.path], ['complete', ['complete']]);
  deepEqual(part.items, [{ ...DELIVERED_ITEM, refunded: 1 }]);
  equal(part.transfers[0]?.amountMinor, 93);
  const rest = toChange(toRefund(evolve(order, part), { lines: undefined, units: 'stay' }));
  equal(rest.status, 'closed');
  equal(rest.transfers[0]?.amountMinor, 92);
  deepEqual(rest.units, {
    kind: 'take-back',
    keyIds: [1],
    units: 'stay',
  });
});

test('units that go back on sale or are withdrawn leave the order, and the others stay with it', () => {
  const order = anOrder(SITUATIONS.complete);
  const lines = [{ itemId: 'i1', quantity: 1 }];
  for (const units of ['return', 'withdraw', 'stay'] as const) {
    const change = toChange(toRefund(order, { lines, units }));
    deepEqual(change.items, [{ ...DELIVERED_ITEM, shipped: units === 'stay' ? 2 : 1, refunded: 1 }]);
    deepEqual(change.units, { kind: 'take-back', keyIds: [2], units });
    equal(change.transfers[0]?.amountMinor, 90);
  }
});

test('a refund takes the keys that it names, and the ones delivered last for lines that name none', () => {
  const item = { ...DELIVERED_ITEM, ordered: 5, invoiced: 5, shipped: 5 };
  const order = anOrder({ status: 'complete', totalPriceMinor: 450, items: [item] });
  const taken = (lines: readonly Omit<RefundLine, 'itemId'>[], keys = toKeys(order)) =>
    toChange(
      toRefund(order, { lines: lines.map((line) => ({ itemId: 'i1', ...line })), units: 'stay' }, keys),
    ).units;
  const takes = (keyIds: readonly number[]) => ({ kind: 'take-back', keyIds, units: 'stay' });
  deepEqual(taken([{ quantity: 2, keyIds: ['3', '1'] }]), takes([3, 1]));
  deepEqual(taken([{ quantity: 2 }, { quantity: 1, keyIds: ['4'] }]), takes([4, 5, 3]));
  const withoutLast = toKeys(order).map((key) => ({ ...key, isRefunded: key.id === 5 }));
  deepEqual(taken([{ quantity: 2 }], withoutLast), takes([4, 3]));
});

test('a refund can return units if the keys that it takes are unread, even if others were read', () => {
  const order = anOrder(SITUATIONS.complete);
  const keys = toKeys(order).map((key) => ({ ...key, isRead: key.id === 2 }));
  const refund = (keyIds?: string[]) =>
    toRefund(order, { lines: [{ itemId: 'i1', quantity: 1, keyIds }], units: 'return' }, keys);
  equal(refund(['1']).ok, true);
  deepEqual(toRejection(refund()), { code: 'keys-were-read' });
});

test('a refund before delivery puts the units back on sale only if the operator requests it', () => {
  for (const situation of ['processing', 'held from processing'] as const) {
    const order = anOrder(SITUATIONS[situation]);
    for (const [units, kind] of [
      ['return', 'release'],
      ['stay', 'withdraw'],
      ['withdraw', 'withdraw'],
    ] as const) {
      const change = toChange(toRefund(order, { lines: undefined, units }));
      deepEqual(change.units, { kind });
      deepEqual([change.status, change.heldFrom], ['closed', null]);
      deepEqual(change.items, [{ ...PAID_ITEM, refunded: 2 }]);
    }
  }
});

test('a refund that keeps or withdraws the units may include keys that were read', () => {
  const order = anOrder(SITUATIONS.complete);
  for (const units of ['stay', 'withdraw'] as const)
    ok(toRefund(order, { lines: undefined, units }, toKeys(order, true)).ok);
});

/** An order and the history of its money and units, counted independently of the core. */
type Life = {
  order: OrderState;
  isRead: boolean;
  chargedMinor: number;
  refundedMinor: number;
  balanceMinor: number;
  reserved: number;
  sold: number;
  /** Units that left the order because they were returned or withdrawn. */
  gone: number;
};

type Step =
  | { readonly kind: Exclude<Action, 'refund'> | 'read-keys' | 'review' }
  | {
      readonly kind: 'refund';
      readonly lines: readonly RefundLine[] | undefined;
      readonly units: RefundedUnits;
    };

const ITEM_IDS = ['i1', 'i2', 'i3'] as const;

const refundLine = fc.record({
  itemId: fc.constantFrom(...ITEM_IDS, ...ITEM_IDS, 'i9'),
  quantity: fc.constantFrom(1, 1, 2, 3, 5),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('paid', 'unpaid', 'hold', 'release', 'cancel', 'read-keys', 'review'),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    lines: fc.option(fc.array(refundLine, { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 4 }),
    units: fc.constantFrom('stay', 'return', 'withdraw'),
  }),
);

const START_BALANCE_MINOR = 1_000_000;

/** An order after placement: waiting for its payment, paid and held, or delivered. */
const birth: fc.Arbitrary<Life> = fc
  .record({
    stage: fc.constantFrom('pending', 'pending_payment', 'held', 'complete'),
    paymentMethod: fc.constantFrom('balance', 'gateway'),
    quantities: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
    unitPrices: fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 999 }), fc.nat({ max: 5 })),
    discountPercent: fc.constantFrom(0, 3, 33, 50, 99, 100),
    hasUnits: fc.constantFrom(true, true, true, false),
  })
  .map(({ stage, paymentMethod, quantities, unitPrices, discountPercent, hasUnits }) => {
    const isPaid = stage === 'held' || stage === 'complete';
    const items = quantities.map((ordered, index) => ({
      ...ITEM,
      id: ITEM_IDS[index] ?? '',
      unitPriceMinor: unitPrices[index] ?? 0,
      ordered,
      invoiced: isPaid ? ordered : 0,
      shipped: stage === 'complete' ? ordered : 0,
    }));
    const sumMinor = items.reduce((sum, item) => sum + item.unitPriceMinor * item.ordered, 0);
    const totalPriceMinor = sumMinor - Math.round((sumMinor * discountPercent) / 100);
    const unitCount = quantities.reduce((sum, quantity) => sum + quantity, 0);
    const chargedMinor = isPaid ? totalPriceMinor : 0;
    const balanceMinor = START_BALANCE_MINOR - (paymentMethod === 'balance' ? chargedMinor : 0);
    const order = anOrder({
      status: stage,
      heldFrom: stage === 'held' ? 'processing' : null,
      paymentMethod,
      totalPriceMinor,
      items,
      // Paid orders that are not refunded immediately have their units.
      hasUnits: hasUnits || isPaid,
      balanceMinor,
    });
    return {
      order,
      isRead: false,
      chargedMinor,
      refundedMinor: 0,
      balanceMinor,
      reserved: order.hasUnits && stage !== 'complete' ? unitCount : 0,
      sold: stage === 'complete' ? unitCount : 0,
      gone: 0,
    };
  });

/** The effect of a step; undefined if it is rejected or changes nothing. */
function decideStep({ order, isRead }: Life, taken: Step): OrderChange | undefined {
  if (taken.kind === 'read-keys' || taken.kind === 'review') return undefined;
  const outcome =
    taken.kind === 'refund' ? toRefund(order, taken, toKeys(order, isRead)) : ACTIONS[taken.kind](order);
  if (outcome === undefined || !('ok' in outcome)) return outcome;
  return outcome.ok ? outcome.value : undefined;
}

function bookTransfers(life: Life, change: OrderChange): void {
  for (const { kind, from, to, amountMinor, prepaidBalanceAfterMinor } of change.transfers) {
    ok(Number.isSafeInteger(amountMinor) && amountMinor > 0);
    if (kind === 'charge') life.chargedMinor += amountMinor;
    else life.refundedMinor += amountMinor;
    if (from === 'prepaid') life.balanceMinor -= amountMinor;
    if (to === 'prepaid') life.balanceMinor += amountMinor;
    const isPrepaid = life.order.paymentMethod === 'balance';
    equal([from, to].includes('prepaid'), isPrepaid);
    equal(prepaidBalanceAfterMinor, isPrepaid ? life.balanceMinor : null);
  }
}

function moveUnits(life: Life, { units }: OrderChange): void {
  if (units.kind === 'take-back') ok(new Set(units.keyIds).size === units.keyIds.length);
  if (units.kind === 'deliver') {
    life.sold += life.reserved;
    life.reserved = 0;
  }
  if (units.kind === 'release' || units.kind === 'withdraw') {
    life.gone += life.reserved;
    life.reserved = 0;
  }
  if (units.kind === 'take-back' && units.units !== 'stay') {
    life.sold -= units.keyIds.length;
    life.gone += units.keyIds.length;
  }
}

function checkPath(order: OrderState, change: OrderChange): void {
  let position: { status: OrderStatus; heldFrom: HeldFrom | null } = order;
  for (const next of change.path) {
    ok(isLegalMove(position.status, next, position.heldFrom), `${position.status} to ${next}`);
    const heldFrom = next === 'held' && isHeldFrom(position.status) ? position.status : null;
    position = { status: next, heldFrom };
  }
  deepEqual([position.status, position.heldFrom], [change.status, change.heldFrom]);
}

function computeSum(order: OrderState, count: (item: ItemState) => number): number {
  return order.items.reduce((sum, item) => sum + count(item), 0);
}

function checkLife(life: Life, unitCount: number): void {
  const { order, chargedMinor, refundedMinor } = life;
  const total = order.totalPriceMinor;
  for (const { ordered, invoiced, shipped, refunded } of order.items) {
    ok(shipped >= 0 && shipped <= ordered);
    ok(invoiced === 0 || invoiced === ordered);
    ok(refunded >= 0 && refunded <= invoiced);
  }
  const isPaid = computeSum(order, ({ invoiced }) => invoiced) > 0;
  equal(order.status === 'held', order.heldFrom !== null);
  equal(chargedMinor, isPaid ? total : refundedMinor);
  ok(chargedMinor <= total && refundedMinor <= chargedMinor);
  const refundedUnits = computeSum(order, ({ refunded }) => refunded);
  if (order.status === 'closed') equal(refundedMinor, total);
  if (order.status === 'closed') equal(refundedUnits, unitCount);
  if (order.status === 'complete') ok(isPaid && refundedUnits < unitCount);
  if (order.status === 'canceled') ok(!isPaid && refundedMinor === chargedMinor);
  equal(
    life.sold,
    computeSum(order, ({ shipped }) => shipped),
  );
  const isOver = order.status === 'canceled' || order.status === 'closed' || order.status === 'complete';
  if (isOver) equal(life.reserved, 0);
  ok([0, unitCount].includes(life.reserved + life.sold + life.gone));
}

/** Applies a step to the order, and checks its effects. */
function live(life: Life, taken: Step): void {
  const before = life.order;
  const snapshot = structuredClone(before);
  const change = decideStep(life, taken);
  deepEqual(before, snapshot);
  if (change !== undefined) {
    checkPath(before, change);
    bookTransfers(life, change);
    moveUnits(life, change);
    life.order = { ...evolve(before, change), balanceMinor: life.balanceMinor };
    if (before.status === 'canceled' || before.status === 'closed') equal(change.status, before.status);
  }
  if (taken.kind === 'read-keys' && before.status === 'complete') life.isRead = true;
  if (taken.kind === 'review') life.order = { ...life.order, isUnderReview: !before.isUnderReview };
}

test('the money, units, quantities and status of an order stay consistent through any changes', () => {
  fc.assert(
    fc.property(birth, fc.array(step, { maxLength: 25, size: 'max' }), (born, steps) => {
      const life = { ...born };
      const unitCount = computeSum(life.order, ({ ordered }) => ordered);
      checkLife(life, unitCount);
      for (const taken of steps) {
        live(life, taken);
        checkLife(life, unitCount);
      }
    }),
    { numRuns: 1000 },
  );
});
