import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { isLegalMove, type ShopReply, serve } from '../../test/model.ts';
import {
  aCommand,
  aManualLine,
  anAccount,
  anAutoLine,
  anOffer,
  aProduct,
  aState,
  type RandomShop,
  randomShop,
} from '../../test/shops.ts';
import type { IdempotencyRecord, OrderLine } from '../idempotency.ts';
import { CHECKOUT_CLASSES } from './checkout-class.ts';
import type { OfferState } from './offer-selection.ts';
import type { HeldFrom, OrderStatus } from './order-status.ts';
import {
  type AccountState,
  type CartReason,
  decidePlaceOrders,
  orderItemId,
  type PlacedOrder,
  type PlacementDecision,
  type PlacementState,
  type PlaceOrder,
  type PlaceOrderOutcome,
  type PlaceOrderRejection,
  type ProductState,
  recordKey,
} from './place-order.ts';
import { placedHeldFrom, placedPath, placedQuantities, placedReason } from './placed-order.ts';

function placeOne(command: PlaceOrder, state: PlacementState): PlaceOrderOutcome {
  const [outcome] = decidePlaceOrders([command], state).outcomes;
  ok(outcome !== undefined);
  return outcome;
}

function toRejection(outcome: PlaceOrderOutcome): PlaceOrderRejection {
  ok(outcome.kind === 'rejected', `${outcome.kind} instead of a rejection`);
  return outcome.rejection;
}

function toOrder(outcome: PlaceOrderOutcome | undefined): PlacedOrder {
  ok(outcome?.kind === 'placed', `${JSON.stringify(outcome)} instead of an order`);
  return outcome.order;
}

function placedOrders(decision: PlacementDecision): PlacedOrder[] {
  return decision.outcomes.flatMap((outcome) => (outcome.kind === 'placed' ? [outcome.order] : []));
}

type Scenario = {
  account: AccountState;
  product: ProductState;
  offer: OfferState;
  line: OrderLine;
};

type Rejection =
  | Exclude<PlaceOrderRejection['code'], 'cart-validation-error'>
  | Exclude<CartReason['reason'], 'reserved-units-max'>;

/** A manual line with every possible fault. */
const ALL_WRONG: Scenario = {
  account: anAccount({
    status: 'suspended',
    sellerId: 's1',
    dailyUnitsMax: 5,
    dayUnits: 4,
    orderValueMaxMinor: 299,
    dailySpendMaxMinor: 1299,
    daySpendMinor: 1000n,
    paymentMethod: null,
    balanceMinor: 299,
  }),
  product: aProduct({ checkoutClass: 'esim' }),
  offer: anOffer({ isActive: false, priceMinor: 150 }),
  line: aManualLine({ quantity: 2, maxPriceMinor: 149 }),
};

/**
 * One row per rejection, in the order of A30: the outcome while it and all later ones apply, and the smallest
 * correction, which leaves the later ones. The limits on amounts apply only if the offer is on sale (A67).
 */
const REJECTIONS = {
  'account-not-active': {
    expected: { code: 'cart-validation-error', reason: 'account-not-active', accountStatus: 'suspended' },
    correction: ({ account }) => ({ account: { ...account, status: 'active' } }),
  },
  'own-offer': {
    expected: { code: 'cart-validation-error', reason: 'own-offer' },
    correction: ({ account }) => ({ account: { ...account, sellerId: 's2' } }),
  },
  'daily-units-max': {
    expected: { code: 'cart-validation-error', reason: 'daily-units-max', limit: 5, used: 4, quantity: 2 },
    correction: ({ account }) => ({ account: { ...account, dailyUnitsMax: 6 } }),
  },
  'product-excluded': {
    expected: { code: 'product-excluded', productId: 'p1', checkoutClass: 'esim' },
    correction: () => ({ product: aProduct() }),
  },
  'offer-not-available': {
    expected: {
      code: 'offer-not-available',
      kind: 'manual',
      quantity: 2,
      maxPriceMinor: 149,
      availableQuantity: 0,
      minPriceMinor: undefined,
    },
    correction: ({ offer }) => ({ offer: { ...offer, isActive: true } }),
  },
  'order-value-max': {
    expected: {
      code: 'cart-validation-error',
      reason: 'order-value-max',
      limitMinor: 299,
      valueMinor: 300,
    },
    correction: ({ account }) => ({ account: { ...account, orderValueMaxMinor: 300 } }),
  },
  'daily-spend-max': {
    expected: {
      code: 'cart-validation-error',
      reason: 'daily-spend-max',
      limitMinor: 1299,
      usedMinor: 1000n,
      valueMinor: 300,
    },
    correction: ({ account }) => ({ account: { ...account, dailySpendMaxMinor: 1300 } }),
  },
  'max-price-exceeded': {
    expected: { code: 'max-price-exceeded', offerPriceMinor: 150, maxPriceMinor: 149 },
    correction: ({ line }) => ({ line: { ...line, maxPriceMinor: 150 } }),
  },
  'payment-not-configured': {
    expected: { code: 'payment-not-configured' },
    correction: ({ account }) => ({ account: { ...account, paymentMethod: 'balance' } }),
  },
  'insufficient-funds': {
    expected: { code: 'insufficient-funds', requiredMinor: 300, availableMinor: 299 },
    correction: ({ account }) => ({ account: { ...account, balanceMinor: 300 } }),
  },
} satisfies Record<
  Rejection,
  { expected: PlaceOrderRejection; correction: (scenario: Scenario) => Partial<Scenario> }
>;

function toState(scenario: Scenario, records?: PlacementState['records']): PlacementState {
  return aState({
    accounts: [scenario.account],
    products: [scenario.product],
    offers: [scenario.offer],
    ...(records === undefined ? {} : { records }),
  });
}

test('the first applicable rejection in the order of A30 is returned, and without any the order is placed', () => {
  let scenario = ALL_WRONG;
  for (const { expected, correction } of Object.values(REJECTIONS)) {
    deepEqual(toRejection(placeOne(aCommand(scenario.line), toState(scenario))), expected);
    scenario = { ...scenario, ...correction(scenario) };
  }
  equal(toOrder(placeOne(aCommand(scenario.line), toState(scenario))).status, 'complete');
});

test('the amount of an offer on sale is checked before the class of its product', () => {
  const onSale: Scenario = {
    ...ALL_WRONG,
    account: anAccount({ orderValueMaxMinor: 299, dailySpendMaxMinor: 299 }),
    offer: anOffer({ priceMinor: 150 }),
  };
  const { 'order-value-max': value, 'daily-spend-max': spend } = REJECTIONS;
  deepEqual(toRejection(placeOne(aCommand(onSale.line), toState(onSale))), value.expected);
  const corrected = { ...onSale, ...value.correction(onSale) };
  equal(toRejection(placeOne(aCommand(onSale.line), toState(corrected))).code, spend.expected.code);
});

test('a limit on amounts never reveals the price of an offer that cannot fill the line', () => {
  const accounts = [anAccount({ orderValueMaxMinor: 1, dailySpendMaxMinor: 1 })];
  const rows: [offer: Partial<OfferState>, minPriceMinor: number | undefined][] = [
    [{ isActive: false }, undefined],
    [{ availableText: 0 }, undefined],
    [{ isActive: false, availableText: 0 }, undefined],
    [{ availableText: 1 }, 100],
  ];
  for (const [fields, minPriceMinor] of rows) {
    const offers = [anOffer(fields)];
    deepEqual(toRejection(placeOne(aCommand(aManualLine({ quantity: 2 })), aState({ accounts, offers }))), {
      code: 'offer-not-available',
      kind: 'manual',
      quantity: 2,
      maxPriceMinor: 100,
      availableQuantity: minPriceMinor === undefined ? 0 : 1,
      minPriceMinor,
    });
  }
});

test('a duplicate gets the response of its record, even if its account is not loaded', () => {
  const command = aCommand(ALL_WRONG.line);
  const finished: IdempotencyRecord = {
    fingerprint: command.fingerprint,
    status: 402,
    body: '{}',
    finishedAtMicros: 0,
  };
  const response = (record: IdempotencyRecord | 'locked-elsewhere') => {
    const records = new Map([[recordKey('a1', 'k1'), record]]);
    const state = { ...toState(ALL_WRONG, records), accounts: new Map(), offers: new Map() };
    const decision = decidePlaceOrders([command], state);
    deepEqual([decision.accounts, decision.offers], [[], []]);
    return decision.outcomes;
  };
  deepEqual(response(finished), [{ kind: 'replay', status: 402, body: '{}' }]);
  deepEqual(response({ ...finished, fingerprint: 'another' }), [{ kind: 'key-reused' }]);
  deepEqual(response({ ...finished, status: null, body: null, finishedAtMicros: null }), [
    { kind: 'processing', retryAfterMs: 1000 },
  ]);
  deepEqual(response('locked-elsewhere'), [{ kind: 'processing', retryAfterMs: 1000 }]);
});

test('the same key of another account is a different key', () => {
  const command = aCommand(anAutoLine());
  const record = { fingerprint: 'another', status: null, body: null, finishedAtMicros: null };
  const state = aState({ records: new Map([[recordKey('a2', 'k1'), record]]) });
  equal(placeOne(command, state).kind, 'placed');
});

test('a closed account cannot order, like a suspended one', () => {
  const state = aState({ accounts: [anAccount({ status: 'closed' })] });
  deepEqual(toRejection(placeOne(aCommand(anAutoLine()), state)), {
    code: 'cart-validation-error',
    reason: 'account-not-active',
    accountStatus: 'closed',
  });
});

test('every limit of an account may be reached but not exceeded', () => {
  const atLimit = anAccount({
    orderValueMaxMinor: 200,
    dailySpendMaxMinor: 500,
    daySpendMinor: 300n,
    dailyUnitsMax: 5,
    dayUnits: 3,
    balanceMinor: 200,
  });
  const command = aCommand(anAutoLine({ quantity: 2 }));
  const decision = decidePlaceOrders([command], aState({ accounts: [atLimit] }));
  equal(decision.outcomes[0]?.kind, 'placed');
  deepEqual(decision.accounts, [
    { ...atLimit, balanceMinor: 0, daySpendMinor: 500n, dayUnits: 5, hourOrders: 1 },
  ]);
  for (const change of [{ orderValueMaxMinor: 199 }, { dailySpendMaxMinor: 499 }, { dailyUnitsMax: 4 }]) {
    const state = aState({ accounts: [{ ...atLimit, ...change }] });
    equal(toRejection(placeOne(command, state)).code, 'cart-validation-error');
  }
});

test('limits apply to the charged amount, after the discount', () => {
  const account = anAccount({ discountBasisPoints: 5000, orderValueMaxMinor: 50, dailySpendMaxMinor: 50 });
  equal(placeOne(aCommand(anAutoLine()), aState({ accounts: [account] })).kind, 'placed');
});

test('an account without its own seller may buy any offer', () => {
  equal(placeOne(aCommand(aManualLine()), aState({})).kind, 'placed');
});

test("an auto line skips the account's own offers", () => {
  const offers = [
    anOffer({ id: 'own', sellerId: 's2', priceMinor: 50 }),
    anOffer({ id: 'other', priceMinor: 90 }),
  ];
  const accounts = [anAccount({ sellerId: 's2' })];
  const command = aCommand(anAutoLine());
  equal(toOrder(placeOne(command, aState({ accounts, offers }))).offer.id, 'other');
  deepEqual(toRejection(placeOne(command, aState({ accounts, offers: offers.slice(0, 1) }))), {
    code: 'offer-not-available',
    kind: 'auto',
    quantity: 1,
    maxPriceMinor: 100,
    availableQuantity: 0,
    minPriceMinor: undefined,
  });
});

test('every excluded class is rejected, regardless of price, quantity, stock and kind of line', () => {
  const excluded = CHECKOUT_CLASSES.filter((checkoutClass) => checkoutClass !== 'standard');
  equal(excluded.length, 5);
  const lines = [
    anAutoLine(),
    anAutoLine({ maxPriceMinor: 1 }),
    anAutoLine({ quantity: 25 }),
    aManualLine(),
    aManualLine({ maxPriceMinor: 1 }),
    aManualLine({ quantity: 25 }),
  ];
  for (const checkoutClass of excluded) {
    for (const line of lines) {
      const state = aState({ products: [aProduct({ checkoutClass })] });
      deepEqual(toRejection(placeOne(aCommand(line), state)), {
        code: 'product-excluded',
        productId: 'p1',
        checkoutClass,
      });
    }
  }
  const withoutOffers = aState({ products: [aProduct({ checkoutClass: 'esim' })], offers: [] });
  equal(toRejection(placeOne(aCommand(anAutoLine()), withoutOffers)).code, 'product-excluded');
});

test('an unknown product or offer is rejected with an available quantity of 0', () => {
  for (const line of [anAutoLine({ productId: 'p9' }), aManualLine({ offerId: 'o9' })]) {
    deepEqual(toRejection(placeOne(aCommand(line), aState({}))), {
      code: 'offer-not-available',
      kind: line.kind,
      quantity: 1,
      maxPriceMinor: 100,
      availableQuantity: 0,
      minPriceMinor: undefined,
    });
  }
});

test('an offer whose product was not loaded is not available, because it might be excluded', () => {
  for (const line of [anAutoLine(), aManualLine()]) {
    equal(toRejection(placeOne(aCommand(line), aState({ products: [] }))).code, 'offer-not-available');
  }
});

test('an offer at maxPrice is bought; a cent more is rejected, differently for each kind of line', () => {
  for (const line of [anAutoLine(), aManualLine()]) {
    equal(toOrder(placeOne(aCommand(line), aState({}))).price.sumMinor, 100);
  }
  const dearer = aState({ offers: [anOffer({ priceMinor: 101 })] });
  deepEqual(toRejection(placeOne(aCommand(aManualLine()), dearer)), {
    code: 'max-price-exceeded',
    offerPriceMinor: 101,
    maxPriceMinor: 100,
  });
  deepEqual(toRejection(placeOne(aCommand(anAutoLine()), dearer)), {
    code: 'offer-not-available',
    kind: 'auto',
    quantity: 1,
    maxPriceMinor: 100,
    availableQuantity: 10,
    minPriceMinor: 101,
  });
});

test('a line above the stock is rejected with the available quantity, and no unit or cent moves', () => {
  const state = aState({ offers: [anOffer({ availableText: 3 })] });
  for (const line of [anAutoLine({ quantity: 4 }), aManualLine({ quantity: 4 })]) {
    const decision = decidePlaceOrders([aCommand(line)], state);
    deepEqual(decision, {
      outcomes: [
        {
          kind: 'rejected',
          rejection: {
            code: 'offer-not-available',
            kind: line.kind,
            quantity: 4,
            maxPriceMinor: 100,
            availableQuantity: 3,
            minPriceMinor: 100,
          },
        },
      ],
      accounts: [],
      offers: [],
    });
  }
});

test('a balance that equals the total is spent to zero; one cent less buys nothing', () => {
  const command = aCommand(anAutoLine({ quantity: 3 }));
  const exact = decidePlaceOrders([command], aState({ accounts: [anAccount({ balanceMinor: 300 })] }));
  equal(exact.accounts[0]?.balanceMinor, 0);
  const short = decidePlaceOrders([command], aState({ accounts: [anAccount({ balanceMinor: 299 })] }));
  deepEqual(short, {
    outcomes: [
      {
        kind: 'rejected',
        rejection: { code: 'insufficient-funds', requiredMinor: 300, availableMinor: 299 },
      },
    ],
    accounts: [],
    offers: [],
  });
});

type Fulfilment = {
  title: string;
  account: Partial<AccountState>;
  offer: Partial<OfferState>;
  expected: Pick<PlacedOrder, 'status' | 'firstUnit'> & {
    heldFrom: HeldFrom | null;
    path: readonly OrderStatus[];
    reason: string;
    invoicedShippedRefunded: readonly [number, number, number];
    transfers: readonly string[];
    balanceMinor: number;
    daySpendMinor: bigint;
    dayUnits: number;
    availableText: number;
  };
};

const DELIVERED = {
  status: 'complete',
  heldFrom: null,
  path: ['pending', 'processing', 'complete'],
  reason: 'paid from the balance and delivered',
  firstUnit: 41,
  invoicedShippedRefunded: [2, 2, 0],
} as const;
const HELD = {
  ...DELIVERED,
  status: 'held',
  heldFrom: 'processing',
  path: ['pending', 'processing', 'held'],
  reason: 'paid from the balance; held: the account is under review',
  invoicedShippedRefunded: [2, 0, 0],
} as const;
const IMAGE_REFUNDED = {
  ...DELIVERED,
  status: 'closed',
  path: ['pending', 'processing', 'closed'],
  reason: 'refunded in full: only image keys were left',
  firstUnit: null,
  invoicedShippedRefunded: [2, 0, 2],
} as const;
const WAITING = {
  ...DELIVERED,
  status: 'pending_payment',
  path: ['pending', 'pending_payment'],
  reason: 'waiting for the payment provider',
  invoicedShippedRefunded: [0, 0, 0],
} as const;
const IMAGES_ONLY = { availableText: 1, availableImage: 1 };
const CHARGE = 'charge prepaid→sales 180, balance 820';
const REFUND = 'refund sales→prepaid 180, balance 1000';
const SPENT = { balanceMinor: 820, daySpendMinor: 180n, dayUnits: 2 };
const UNSPENT = { balanceMinor: 1000, daySpendMinor: 0n, dayUnits: 0 };

/** Two units at 100 with 10 % off, from a balance of 1000. */
const FULFILMENTS: Fulfilment[] = [
  {
    title: 'from the balance: charged, delivered, complete',
    account: {},
    offer: {},
    expected: { ...DELIVERED, ...SPENT, transfers: [CHARGE], availableText: 8 },
  },
  {
    title: 'of an account under review: charged and held, its units set aside',
    account: { holdOrders: true },
    offer: {},
    expected: { ...HELD, ...SPENT, transfers: [CHARGE], availableText: 8 },
  },
  {
    title: 'with image keys only: charged and refunded in full, no unit moves, no limit is used up',
    account: {},
    offer: IMAGES_ONLY,
    expected: { ...IMAGE_REFUNDED, ...UNSPENT, transfers: [CHARGE, REFUND], availableText: 1 },
  },
  {
    title: 'with image keys only and under review: refunded just the same',
    account: { holdOrders: true },
    offer: IMAGES_ONLY,
    expected: { ...IMAGE_REFUNDED, ...UNSPENT, transfers: [CHARGE, REFUND], availableText: 1 },
  },
  {
    title: 'through a gateway: waits for the provider, its units set aside, nothing booked yet',
    account: { paymentMethod: 'gateway', balanceMinor: 0 },
    offer: {},
    expected: { ...WAITING, ...SPENT, balanceMinor: 0, transfers: [], availableText: 8 },
  },
  {
    title: 'through a gateway with image keys only: waits without units',
    account: { paymentMethod: 'gateway' },
    offer: IMAGES_ONLY,
    expected: {
      ...WAITING,
      ...SPENT,
      firstUnit: null,
      balanceMinor: 1000,
      transfers: [],
      availableText: 1,
    },
  },
  {
    title: 'with a total of zero: delivered without a transfer, because no transfer has the amount zero',
    account: { discountBasisPoints: 10_000, balanceMinor: 0 },
    offer: {},
    expected: {
      ...DELIVERED,
      balanceMinor: 0,
      daySpendMinor: 0n,
      dayUnits: 2,
      transfers: [],
      availableText: 8,
    },
  },
  {
    title: 'a zero price through a gateway: delivered immediately, without the provider',
    account: { discountBasisPoints: 10_000, balanceMinor: 0, paymentMethod: 'gateway' },
    offer: {},
    expected: {
      ...DELIVERED,
      balanceMinor: 0,
      daySpendMinor: 0n,
      dayUnits: 2,
      transfers: [],
      availableText: 8,
    },
  },
  {
    title: 'with a total of zero and image keys only: closed without a transfer',
    account: { discountBasisPoints: 10_000, balanceMinor: 0 },
    offer: IMAGES_ONLY,
    expected: { ...IMAGE_REFUNDED, ...UNSPENT, balanceMinor: 0, transfers: [], availableText: 1 },
  },
];

function describeTransfers(order: PlacedOrder): string[] {
  return order.transfers.map(
    ({ kind, from, to, amountMinor, prepaidBalanceAfterMinor }) =>
      `${kind} ${from}→${to} ${amountMinor}, balance ${prepaidBalanceAfterMinor}`,
  );
}

for (const { title, account, offer, expected } of FULFILMENTS) {
  test(`an order ${title}`, () => {
    const state = aState({
      accounts: [anAccount({ discountBasisPoints: 1000, ...account })],
      offers: [anOffer(offer)],
    });
    const decision = decidePlaceOrders([aCommand(aManualLine({ quantity: 2 }))], state);
    const order = toOrder(decision.outcomes[0]);
    const { status, firstUnit } = order;
    const { ordered, invoiced, shipped, refunded } = placedQuantities(status, 2);
    equal(ordered, 2);
    const { balanceMinor, daySpendMinor, dayUnits } = decision.accounts[0] ?? anAccount();
    const actual = {
      ...{ status, firstUnit, balanceMinor, daySpendMinor, dayUnits },
      heldFrom: placedHeldFrom(status),
      path: placedPath(status),
      reason: placedReason(status, order.holdReason),
      invoicedShippedRefunded: [invoiced, shipped, refunded],
      transfers: describeTransfers(order),
      availableText: (decision.offers[0] ?? anOffer(offer)).availableText,
    };
    deepEqual(actual, expected);
    equal(decision.offers.length, firstUnit === null ? 0 : 1);
  });
}

test('an order that a risk rule catches is paid and held, with the rules that caught it', () => {
  const riskRules = { aboveMinor: 100, accountYoungerThanMicros: 7_200_000_000, ordersPerHour: 0 };
  for (const holdOrders of [false, true]) {
    const state = aState({ riskRules, accounts: [anAccount({ holdOrders })] });
    const order = toOrder(placeOne(aCommand(aManualLine({ quantity: 2 })), state));
    deepEqual([order.status, placedHeldFrom(order.status), order.firstUnit], ['held', 'processing', 41]);
    const { invoiced, shipped } = placedQuantities(order.status, 2);
    deepEqual([invoiced, shipped, order.transfers.length], [2, 0, 1]);
    const why = `${holdOrders ? 'the account is under review; ' : ''}risk rule: total 2.00 EUR is above 1.00 EUR; risk rule: the account is younger than 2 hours`;
    equal(order.holdReason, why);
    equal(placedReason(order.status, order.holdReason), `paid from the balance; held: ${why}`);
  }
});

test('orders of one batch count towards the hourly rule in sequence; rejected ones and those of other accounts do not', () => {
  const riskRules = { aboveMinor: undefined, accountYoungerThanMicros: 0, ordersPerHour: 3 };
  const accounts = [anAccount({ hourOrders: 1 }), anAccount({ id: 'a2' })];
  const commands = [
    aCommand(anAutoLine(), { idempotencyKey: 'k1' }),
    aCommand(anAutoLine(), { idempotencyKey: 'k2', accountId: 'a2' }),
    aCommand(anAutoLine({ maxPriceMinor: 1 }), { idempotencyKey: 'k3' }),
    aCommand(anAutoLine(), { idempotencyKey: 'k4' }),
    aCommand(anAutoLine(), { idempotencyKey: 'k4' }),
    aCommand(anAutoLine(), { idempotencyKey: 'k5' }),
    aCommand(anAutoLine(), { idempotencyKey: 'k6' }),
  ];
  const decision = decidePlaceOrders(commands, aState({ riskRules, accounts }));
  deepEqual(
    decision.outcomes.map((outcome) => (outcome.kind === 'placed' ? outcome.order.status : outcome.kind)),
    ['complete', 'complete', 'rejected', 'complete', 'processing', 'held', 'held'],
  );
  const held = toOrder(decision.outcomes[5]);
  equal(held.holdReason, 'risk rule: order 4 of the account in this hour, above 3');
  deepEqual(
    decision.accounts.map(({ hourOrders }) => hourOrders),
    [5, 1],
  );
});

test('a gateway order keeps the reason to hold it; one with only image keys is refunded, not held', () => {
  const riskRules = { aboveMinor: 0, accountYoungerThanMicros: 0, ordersPerHour: 0 };
  const command = aCommand(aManualLine());
  const byGateway = aState({ riskRules, accounts: [anAccount({ paymentMethod: 'gateway' })] });
  const waiting = toOrder(placeOne(command, byGateway));
  deepEqual(
    [waiting.status, waiting.holdReason],
    ['pending_payment', 'risk rule: total 1.00 EUR is above 0.00 EUR'],
  );
  const images = aState({ riskRules, offers: [anOffer({ availableText: 0, availableImage: 1 })] });
  equal(toOrder(placeOne(command, images)).status, 'closed');
});

test('an order has the id at its place in the batch, regardless of the outcomes of earlier commands', () => {
  const commands = [
    aCommand(anAutoLine({ productId: 'p9' })),
    aCommand(anAutoLine(), { idempotencyKey: 'k2' }),
  ];
  const state = aState({});
  const order = toOrder(decidePlaceOrders(commands, state).outcomes[1]);
  equal(order.id, state.orderIds[1]);
  equal(order.itemId, `${order.id}01`);
});

test('an item id is its order id and two digits, and stays inside a bigint', () => {
  equal(orderItemId('9999999999999999', 0), '999999999999999901');
  equal(orderItemId('9999999999999999', 98), '999999999999999999');
  ok(BigInt(orderItemId('9999999999999999', 98)) < 2n ** 63n);
  for (const itemIndex of [-1, 99])
    throws(() => orderItemId('9999999999999999', itemIndex), /at most 99 items/);
});

test('a batch without an order id for every command throws', () => {
  throws(
    () => decidePlaceOrders([aCommand(anAutoLine())], { ...aState({}), orderIds: [] }),
    /there is an order id for every command/,
  );
});

test('an order whose account was not loaded throws, and is not a rejection', () => {
  throws(
    () => decidePlaceOrders([aCommand(anAutoLine())], aState({ accounts: [] })),
    /the account of a command is loaded/,
  );
});

test('if two orders each need sixty percent of the balance, one is placed and one is rejected', () => {
  const accounts = [anAccount({ balanceMinor: 500 })];
  const commands = ['k1', 'k2'].map((idempotencyKey) =>
    aCommand(anAutoLine({ quantity: 3 }), { idempotencyKey }),
  );
  const decision = decidePlaceOrders(commands, aState({ accounts }));
  deepEqual(
    decision.outcomes.map(({ kind }) => kind),
    ['placed', 'rejected'],
  );
  equal(decision.accounts[0]?.balanceMinor, 200);
});

test('a key that occurs twice in one batch places one order', () => {
  const line = anAutoLine();
  const commands = [
    aCommand(line),
    aCommand(line),
    aCommand(anAutoLine({ quantity: 2 })),
    aCommand(line, { idempotencyKey: 'k2' }),
  ];
  deepEqual(
    decidePlaceOrders(commands, aState({})).outcomes.map((outcome) =>
      outcome.kind === 'placed' ? outcome.order.command.idempotencyKey : outcome,
    ),
    ['k1', { kind: 'processing', retryAfterMs: 1000 }, { kind: 'key-reused' }, 'k2'],
  );
});

test('a key whose first request was rejected is not retried in the same batch', () => {
  const line = anAutoLine({ productId: 'p9' });
  deepEqual(
    decidePlaceOrders([aCommand(line), aCommand(line), aCommand(anAutoLine())], aState({})).outcomes.map(
      ({ kind }) => kind,
    ),
    ['rejected', 'processing', 'key-reused'],
  );
});

function toResponse(outcome: PlaceOrderOutcome): ShopReply {
  if (outcome.kind === 'replay') return { said: outcome.body };
  if (outcome.kind === 'rejected') {
    const { rejection } = outcome;
    return { said: rejection.code === 'cart-validation-error' ? rejection.reason : rejection.code };
  }
  if (outcome.kind !== 'placed') return { said: outcome.kind };
  const { status, offer, price } = outcome.order;
  const { discountMinor, totalPriceMinor } = price;
  return { said: status, sale: { offerId: offer.id, discountMinor, totalPriceMinor } };
}

/** Every account and offer after the batch. */
function stateAfter(state: PlacementState, decision: PlacementDecision): PlacementState {
  return {
    ...state,
    accounts: new Map([...state.accounts, ...decision.accounts.map((row) => [row.id, row] as const)]),
    offers: new Map([...state.offers, ...decision.offers.map((row) => [row.id, row] as const)]),
  };
}

test('a batch decides, charges and takes units exactly like a shop that serves customers one by one', () => {
  fc.assert(
    fc.property(randomShop, ({ state, shop, commands }) => {
      const decision = decidePlaceOrders(commands, state);
      const after = stateAfter(state, decision);
      deepEqual(
        decision.outcomes.map(toResponse),
        commands.map((command) => serve(shop, command)),
      );
      deepEqual([...after.accounts.values()], shop.accounts);
      deepEqual([...after.offers.values()], shop.offers);
    }),
    { numRuns: 1000 },
  );
});

/** Adds records of the commands decided so far, which are open because their batch is not committed. */
function withOpenRecord(state: PlacementState, command: PlaceOrder): PlacementState {
  const record = { fingerprint: command.fingerprint, status: null, body: null, finishedAtMicros: null };
  const key = recordKey(command.accountId, command.idempotencyKey);
  return { ...state, records: new Map([...state.records, [key, state.records.get(key) ?? record]]) };
}

test('a batch has the same outcomes as its commands placed one at a time, in order', () => {
  fc.assert(
    fc.property(randomShop, ({ state, commands }) => {
      const together = decidePlaceOrders(commands, state);
      let left = state;
      const oneByOne = commands.map((command, index) => {
        const decision = decidePlaceOrders([command], { ...left, orderIds: state.orderIds.slice(index) });
        left = withOpenRecord(stateAfter(left, decision), command);
        return decision.outcomes[0];
      });
      // The offer of an order is the batch's working copy, which may change later, so this compares its id.
      const comparable = (outcome: PlaceOrderOutcome | undefined) =>
        outcome?.kind === 'placed' ? { ...outcome.order, offer: outcome.order.offer.id } : outcome;
      deepEqual(together.outcomes.map(comparable), oneByOne.map(comparable));
      const after = stateAfter(state, together);
      deepEqual([...after.accounts], [...left.accounts]);
      deepEqual([...after.offers], [...left.offers]);
    }),
  );
});

function checkMoney({ state }: RandomShop, decision: PlacementDecision): void {
  const after = stateAfter(state, decision);
  for (const account of state.accounts.values()) {
    const orders = placedOrders(decision).filter(({ command }) => command.accountId === account.id);
    let balanceMinor = account.balanceMinor;
    for (const transfer of orders.flatMap(({ transfers }) => transfers)) {
      ok(transfer.amountMinor > 0);
      if (transfer.from === 'prepaid') balanceMinor -= transfer.amountMinor;
      if (transfer.to === 'prepaid') balanceMinor += transfer.amountMinor;
      equal(transfer.prepaidBalanceAfterMinor, balanceMinor);
      ok(balanceMinor >= 0);
    }
    equal(after.accounts.get(account.id)?.balanceMinor, balanceMinor);
  }
  for (const { command, price, transfers, status, paymentMethod } of placedOrders(decision)) {
    const booked = (kind: string) =>
      transfers.reduce((sum, transfer) => sum + (transfer.kind === kind ? transfer.amountMinor : 0), 0);
    equal(price.sumMinor, price.totalPriceMinor + price.discountMinor);
    equal(booked('charge'), paymentMethod === 'gateway' ? 0 : price.totalPriceMinor);
    equal(booked('refund'), status === 'closed' ? price.totalPriceMinor : 0);
    const { quantity } = command.line;
    equal(placedQuantities(status, quantity).refunded, status === 'closed' ? quantity : 0);
  }
}

function checkUnits({ state }: RandomShop, decision: PlacementDecision): void {
  const after = stateAfter(state, decision);
  for (const offer of state.offers.values()) {
    const orders = placedOrders(decision).filter(
      (order) => order.offer.id === offer.id && order.firstUnit !== null,
    );
    const taken = orders.reduce((sum, order) => sum + order.command.line.quantity, 0);
    const left = after.offers.get(offer.id)?.availableText ?? Number.NaN;
    ok(left >= 0);
    equal(left, offer.availableText - taken);
    equal(after.offers.get(offer.id)?.availableImage, offer.availableImage);
  }
}

function checkOrder(order: PlacedOrder, state: PlacementState): void {
  const { line } = order.command;
  const { quantity } = line;
  const offer = state.offers.get(order.offer.id);
  ok(offer?.isActive && offer.priceMinor <= line.maxPriceMinor);
  equal(order.price.sumMinor, offer.priceMinor * quantity);
  equal(order.product.id, offer.productId);
  equal(order.product.checkoutClass, 'standard');
  ok(offer.sellerId !== state.accounts.get(order.command.accountId)?.sellerId);
  ok(line.kind === 'auto' ? line.productId === offer.productId : line.offerId === offer.id);
  const path = placedPath(order.status);
  const { invoiced, shipped } = placedQuantities(order.status, quantity);
  equal(shipped, order.status === 'complete' ? quantity : 0);
  ok(shipped === 0 || order.firstUnit !== null);
  ok([0, quantity].includes(invoiced));
  equal(order.status === 'held', placedHeldFrom(order.status) !== null);
  equal(path.at(-1), order.status);
  equal(path[0], 'pending');
  let previous: OrderStatus | undefined;
  for (const status of path) {
    ok(previous === undefined || isLegalMove(previous, status, null satisfies HeldFrom | null));
    previous = status;
  }
}

test('no batch overdraws a balance, takes a unit twice, charges above maxPrice or leaves the state machine', () => {
  fc.assert(
    fc.property(randomShop, (random) => {
      const decision = decidePlaceOrders(random.commands, random.state);
      checkMoney(random, decision);
      checkUnits(random, decision);
      for (const order of placedOrders(decision)) checkOrder(order, random.state);
      const ids = placedOrders(decision).map(({ id }) => id);
      equal(new Set(ids).size, ids.length);
      const keys = placedOrders(decision).map(({ command }) =>
        recordKey(command.accountId, command.idempotencyKey),
      );
      equal(new Set(keys).size, keys.length);
    }),
    { numRuns: 500 },
  );
});

test('the ranges of units that a batch takes from an offer follow each other from its next unit, without a gap', () => {
  fc.assert(
    fc.property(randomShop, ({ state, commands }) => {
      const decision = decidePlaceOrders(commands, state);
      const after = stateAfter(state, decision);
      const nextUnits = new Map(Array.from(state.offers.values(), ({ id, nextUnit }) => [id, nextUnit]));
      for (const { offer, firstUnit, command, status } of placedOrders(decision)) {
        if (firstUnit === null) {
          ok(status === 'closed' || status === 'pending_payment');
          continue;
        }
        equal(firstUnit, nextUnits.get(offer.id));
        nextUnits.set(offer.id, firstUnit + command.line.quantity);
      }
      for (const { id, nextUnit, availableText } of state.offers.values()) {
        const left = after.offers.get(id);
        equal(left?.nextUnit, nextUnits.get(id));
        equal((left?.nextUnit ?? 0) + (left?.availableText ?? 0), nextUnit + availableText);
      }
    }),
    { numRuns: 500 },
  );
});

test('a batch leaves the loaded state unchanged, and returns only what it changed', () => {
  fc.assert(
    fc.property(randomShop, ({ state, commands }) => {
      const before = structuredClone(state);
      const decision = decidePlaceOrders(commands, state);
      deepEqual(state, before);
      const orders = placedOrders(decision);
      deepEqual(
        new Set(decision.accounts.map(({ id }) => id)),
        new Set(orders.map(({ command }) => command.accountId)),
      );
      deepEqual(
        new Set(decision.offers.map(({ id }) => id)),
        new Set(orders.filter(({ firstUnit }) => firstUnit !== null).map(({ offer }) => offer.id)),
      );
    }),
  );
});
