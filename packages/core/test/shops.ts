import fc from 'fast-check';
import { fingerprintLine, type IdempotencyRecord, type OrderLine } from '../src/idempotency.ts';
import { CHECKOUT_CLASSES } from '../src/orders/checkout-class.ts';
import type { OfferState } from '../src/orders/offer-selection.ts';
import {
  type AccountState,
  type PlacementState,
  type PlaceOrder,
  type ProductState,
  type ReservationAllowance,
  recordKey,
} from '../src/orders/place-order.ts';
import type { ReservationState } from '../src/orders/reservations.ts';
import { NO_RISK_RULES, type RiskRules } from '../src/orders/risk-rules.ts';
import type { ModelRecord, Shop } from './model.ts';

const NOW_MICROS = 1_795_255_200_000_000;
const COOLDOWN_MS = 2000;
const BATCH_SIZE_MAX = 20;
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

export function anOffer(change: Partial<OfferState> = {}): OfferState {
  return {
    id: 'o1',
    productId: 'p1',
    sellerId: 's1',
    sellerName: 'Seller',
    priceMinor: 100,
    isActive: true,
    nextUnit: 41,
    availableText: 10,
    availableImage: 0,
    ...change,
  };
}

export function anAccount(change: Partial<AccountState> = {}): AccountState {
  return {
    id: 'a1',
    status: 'active',
    paymentMethod: 'balance',
    discountBasisPoints: 0,
    holdOrders: false,
    sellerId: null,
    orderValueMaxMinor: null,
    dailySpendMaxMinor: null,
    dailyUnitsMax: null,
    balanceMinor: 1000,
    daySpendMinor: 0n,
    dayUnits: 0,
    createdAtMicros: NOW_MICROS - 1_000_000,
    hourOrders: 0,
    ...change,
  };
}

export function aProduct(change: Partial<ProductState> = {}): ProductState {
  return { id: 'p1', name: 'Product', checkoutClass: 'standard', ...change };
}

export function anAutoLine(change: Partial<Extract<OrderLine, { kind: 'auto' }>> = {}): OrderLine {
  return { kind: 'auto', productId: 'p1', quantity: 1, maxPriceMinor: 100, ...change };
}

export function aManualLine(change: Partial<Extract<OrderLine, { kind: 'manual' }>> = {}): OrderLine {
  return { kind: 'manual', offerId: 'o1', quantity: 1, maxPriceMinor: 100, ...change };
}

export function aCommand(line: OrderLine, change: Partial<PlaceOrder> = {}): PlaceOrder {
  return {
    accountId: 'a1',
    idempotencyKey: 'k1',
    line,
    fingerprint: fingerprintLine(line),
    traceId: TRACE_ID,
    ...change,
  };
}

export function aState(change: {
  accounts?: readonly AccountState[];
  products?: readonly ProductState[];
  offers?: readonly OfferState[];
  records?: PlacementState['records'];
  nowMicros?: number;
  cooldownMs?: number;
  riskRules?: RiskRules;
  reservations?: readonly ReservationState[];
  allowance?: ReservationAllowance;
}): PlacementState {
  const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));
  return {
    nowMicros: change.nowMicros ?? NOW_MICROS,
    cooldownMs: change.cooldownMs ?? COOLDOWN_MS,
    riskRules: change.riskRules ?? NO_RISK_RULES,
    records: change.records ?? new Map(),
    accounts: byId(change.accounts ?? [anAccount()]),
    products: byId(change.products ?? [aProduct()]),
    offers: byId(change.offers ?? [anOffer()]),
    reservations: byId(change.reservations ?? []),
    ownReservations: [],
    allowances: new Map(change.allowance === undefined ? [] : [['a1', change.allowance]]),
    orderIds: Array.from({ length: BATCH_SIZE_MAX }, (_, index) => String(2_000_000_000_000_000 + index)),
  };
}

/** The same shop in the form of the core and in that of the model. */
export type RandomShop = {
  readonly state: PlacementState;
  readonly shop: Shop;
  readonly commands: readonly PlaceOrder[];
};

/** Records get the prototype that literals have, so that strict comparisons see the values only. */
const PLAIN = { noNullPrototype: true } as const;

const accountId = fc.constantFrom('a1', 'a2', 'a3');
const idempotencyKey = fc.integer({ min: 1, max: 30 }).map((number) => `k${number}`);
const limit = fc.oneof(
  { arbitrary: fc.constant(null), weight: 4 },
  { arbitrary: fc.integer({ min: 0, max: 40 }), weight: 1 },
);

/** p4 and o7 do not exist. */
const line: fc.Arbitrary<OrderLine> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('auto' as const),
      productId: fc.constantFrom('p1', 'p1', 'p1', 'p1', 'p2', 'p3', 'p4'),
      quantity: fc.constantFrom(1, 2, 3, 4),
      maxPriceMinor: fc.constantFrom(2, 3, 4, 5, 6, 7),
    },
    PLAIN,
  ),
  fc.record(
    {
      kind: fc.constant('manual' as const),
      offerId: fc.constantFrom('o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7'),
      quantity: fc.constantFrom(1, 2, 3, 4),
      maxPriceMinor: fc.constantFrom(2, 3, 4, 5, 6, 7),
    },
    PLAIN,
  ),
);

const offers: fc.Arbitrary<OfferState[]> = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom('o1', 'o2', 'o3', 'o4', 'o5', 'o6'),
      productId: fc.constantFrom('p1', 'p1', 'p1', 'p2', 'p3'),
      sellerId: fc.constantFrom('s1', 's2', 's3'),
      sellerName: fc.constant('Seller'),
      priceMinor: fc.constantFrom(1, 2, 3, 4, 5, 6),
      isActive: fc.constantFrom(true, true, true, true, true, false),
      nextUnit: fc.constantFrom(1, 2, 31),
      availableText: fc.constantFrom(0, 1, 3, 5, 8, 12),
      availableImage: fc.constantFrom(0, 0, 1, 5),
    },
    PLAIN,
  ),
  { selector: ({ id }) => id, minLength: 1, maxLength: 6, size: 'max' },
);

const account: fc.Arbitrary<Omit<AccountState, 'id'>> = fc.record(
  {
    status: fc.oneof(
      { arbitrary: fc.constant('active' as const), weight: 15 },
      fc.constantFrom('suspended' as const, 'closed' as const),
    ),
    paymentMethod: fc.constantFrom('balance', 'balance', 'balance', 'gateway', null),
    discountBasisPoints: fc.constantFrom(0, 0, 1, 250, 3333, 5000, 10_000),
    holdOrders: fc.constantFrom(false, false, true),
    sellerId: fc.constantFrom(null, null, 's1'),
    orderValueMaxMinor: limit,
    dailySpendMaxMinor: limit,
    dailyUnitsMax: limit,
    balanceMinor: fc.integer({ min: 0, max: 60 }),
    daySpendMinor: fc.bigInt({ min: 0n, max: 10n }),
    dayUnits: fc.integer({ min: 0, max: 5 }),
    createdAtMicros: fc.constantFrom(NOW_MICROS, NOW_MICROS - 5, NOW_MICROS - 6, 0),
    hourOrders: fc.integer({ min: 0, max: 3 }),
  },
  PLAIN,
);

const checkoutClass = fc.oneof(
  { arbitrary: fc.constant('standard' as const), weight: 8 },
  fc.constantFrom(...CHECKOUT_CLASSES),
);

/** Ages around the cool-down, to the microsecond, a clock that was set back, and null for an open record. */
const ageMicros = fc.constantFrom(null, -1, 0, 1_999_999, 2_000_000, 86_400_000_000);

const riskRules: fc.Arbitrary<RiskRules> = fc.record(
  {
    aboveMinor: fc.constantFrom(undefined, undefined, 0, 3, 8),
    accountYoungerThanMicros: fc.constantFrom(0, 0, 0, 6),
    ordersPerHour: fc.constantFrom(0, 0, 1, 2, 4),
  },
  PLAIN,
);

const record = fc.record({ accountId, idempotencyKey, line, ageMicros, isElsewhere: fc.boolean() }, PLAIN);

/**
 * Products, offers, accounts, records of every age, and a batch whose keys repeat others in it and earlier
 * ones, with the same payload and with different ones.
 */
export const randomShop: fc.Arbitrary<RandomShop> = fc
  .record(
    {
      offers,
      accounts: fc.tuple(account, account, account),
      classes: fc.tuple(checkoutClass, checkoutClass, checkoutClass),
      records: fc.array(record, { maxLength: 5 }),
      commands: fc.array(fc.record({ accountId, idempotencyKey, line }, PLAIN), {
        minLength: 1,
        maxLength: BATCH_SIZE_MAX,
        size: 'max',
      }),
      repeats: fc.array(fc.nat({ max: BATCH_SIZE_MAX - 1 }), { maxLength: 4 }),
      riskRules,
    },
    PLAIN,
  )
  .map(buildShop);

type Draft = {
  offers: OfferState[];
  accounts: Omit<AccountState, 'id'>[];
  classes: ProductState['checkoutClass'][];
  records: {
    accountId: string;
    idempotencyKey: string;
    line: OrderLine;
    ageMicros: number | null;
    isElsewhere: boolean;
  }[];
  commands: { accountId: string; idempotencyKey: string; line: OrderLine }[];
  repeats: number[];
  riskRules: RiskRules;
};

function buildShop(draft: Draft): RandomShop {
  const accounts = draft.accounts.map((fields, index) => ({ id: `a${index + 1}`, ...fields }));
  const products = draft.classes.map((checkoutClass, index) =>
    aProduct({ id: `p${index + 1}`, checkoutClass }),
  );
  const customers = draft.commands.map((customer, index) => {
    const again = draft.records[draft.repeats.indexOf(index)];
    return again === undefined ? customer : { ...customer, ...pickRequest(again) };
  });
  const records = new Map<string, IdempotencyRecord | 'locked-elsewhere'>();
  const modelRecords = new Map<string, ModelRecord>();
  for (const { accountId, idempotencyKey, line, ageMicros, isElsewhere } of draft.records) {
    const finishedAtMicros = ageMicros === null ? null : NOW_MICROS - ageMicros;
    const response = `replay of ${accountId} ${idempotencyKey}`;
    const stored = finishedAtMicros === null ? { status: null, body: null } : { status: 201, body: response };
    records.set(
      recordKey(accountId, idempotencyKey),
      isElsewhere ? 'locked-elsewhere' : { fingerprint: fingerprintLine(line), ...stored, finishedAtMicros },
    );
    modelRecords.set(
      `${accountId} ${idempotencyKey}`,
      isElsewhere ? 'locked-elsewhere' : { line, finishedAtMicros, response },
    );
  }
  return {
    state: aState({ accounts, products, offers: draft.offers, records, riskRules: draft.riskRules }),
    shop: {
      nowMicros: NOW_MICROS,
      cooldownMs: COOLDOWN_MS,
      riskRules: draft.riskRules,
      records: modelRecords,
      accounts: accounts.map((one) => ({ ...one })),
      products,
      offers: draft.offers.map((one) => ({ ...one })),
    },
    commands: customers.map((customer) => ({
      ...customer,
      fingerprint: fingerprintLine(customer.line),
      traceId: TRACE_ID,
    })),
  };
}

function pickRequest(request: { accountId: string; idempotencyKey: string; line: OrderLine }) {
  const { accountId, idempotencyKey, line } = request;
  return { accountId, idempotencyKey, line };
}
