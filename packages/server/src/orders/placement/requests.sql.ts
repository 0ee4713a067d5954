/**
 * The requests of a group commit: the locks of their idempotency keys, the responses to their duplicates, and
 * the accounts of the new ones.
 */
import { must } from '@keyport/core/assert';
import { fingerprintLine, type IdempotencyRecord } from '@keyport/core/idempotency';
import type { StatementEnd } from '@keyport/core/ledger';
import { type AccountState, orderItemId, type PlaceOrder } from '@keyport/core/orders/place-order';
import { type PlacedStatus, placedQuantities } from '@keyport/core/orders/placed-order';
import { binaryArray } from '../../db/engines/binary-array.ts';
import {
  type PreparedStatement,
  plainArray,
  prepareStatement,
  type Session,
} from '../../db/engines/prepared.ts';
import type { RowPlaces } from '../../db/row-places.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { microsText } from '../../db/timestamps.ts';
import { STATEMENT_END, type StatementEndRow, viewStatementEnd } from '../../ledger/transfers.sql.ts';
import { CREATED, createdBody } from '../order-response.ts';

export type KeyReference = { readonly accountId: string; readonly idempotencyKey: string };

export type LockedKeys = {
  /** The database's clock when the transaction began, microseconds since the epoch. */
  readonly nowMicros: number;
  /** One per key, in their order: false when a concurrent duplicate of the request is in flight on another node. */
  readonly isLocked: readonly boolean[];
  /** One fresh number of the shared sequence per key. */
  readonly serials: readonly number[];
};

const KEY_HASH = 'uuid_hash_extended(request.key, uuid_hash_extended(request.account_id, 0))';

/** True when this transaction holds the key's lock, which it then keeps until it ends. */
export const HAS_LOCK = `pg_try_advisory_xact_lock(${KEY_HASH})`;

const LOCK_KEYS = prepareStatement<{ now: number; locked: boolean; serial: number }>(
  'lock_idempotency_keys',
  `SELECT ${microsText('transaction_timestamp()')} AS now, ${HAS_LOCK} AS locked,
      nextval('order_serial_seq') AS serial
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS request (account_id, key, place)
    ORDER BY request.place`,
);

/**
 * Takes a transaction-scoped advisory lock per key without waiting (A40). A separate statement from reading the
 * records: a record that was committed while the lock was being taken must be visible afterwards.
 */
export async function lockIdempotencyKeys(
  session: Session,
  keys: readonly KeyReference[],
): Promise<LockedKeys> {
  const rows = await LOCK_KEYS.send(session, keyColumns(keys));
  return {
    nowMicros: rows[0]?.now ?? 0,
    isLocked: rows.map((row) => row.locked),
    serials: rows.map((row) => row.serial),
  };
}

/** By the keys of a batch, which several statements take. */
const columnsOfKeys = new WeakMap<readonly KeyReference[], Buffer[]>();

export function keyColumns(keys: readonly KeyReference[]): readonly Buffer[] {
  const known = columnsOfKeys.get(keys);
  if (known !== undefined) return known;
  const columns = [keys.map((key) => key.accountId), keys.map((key) => key.idempotencyKey)].map((ids) =>
    binaryArray('uuid', ids),
  );
  columnsOfKeys.set(keys, columns);
  return columns;
}

// OFFSET 0 keeps the order: two nodes that wait for the same keys must not wait for each other.
const WAIT_FOR_KEYS = prepareStatement<Record<string, never>>(
  'wait_for_idempotency_keys',
  `SELECT pg_advisory_xact_lock(hash) FROM (
    SELECT ${KEY_HASH} AS hash
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    ORDER BY hash OFFSET 0
  ) AS ordered`,
);

/** Waits for transactions with these keys that are still committing: a lock is free once its transaction has ended. */
export async function waitForIdempotencyKeys(tx: Tx, keys: readonly KeyReference[]): Promise<void> {
  await WAIT_FOR_KEYS.execute(tx, keyColumns(keys));
}

/**
 * A subquery of at most one row: the order of the request, looked up by order_idempotency_key_uq. By a comparison of rows and not
 * by equality, because a plan that was made while the table was small would choose order_history_ix and keep it.
 */
const PLACED_ORDER = `(
    SELECT * FROM (
      SELECT * FROM "order" AS candidate
      WHERE (candidate.account_id, candidate.idempotency_key) >= (request.account_id, request.key)
      ORDER BY candidate.account_id, candidate.idempotency_key LIMIT 1
    ) AS first
    WHERE first.account_id = request.account_id AND first.idempotency_key = request.key
  )`;

const REJECTED_ORDER = `(
    SELECT * FROM rejected_order AS candidate
    WHERE candidate.account_id = request.account_id AND candidate.idempotency_key = request.key LIMIT 1
  )`;

type KnownRow = { account_id: string; key: string } & (
  | { order_id: string; fingerprint: null }
  | { order_id: null; fingerprint: string; status: number; body: string; rejected: number }
);

const FIND_REQUESTS = prepareStatement<KnownRow>(
  'find_requests',
  `SELECT request.account_id, request.key, placed.id::text AS order_id, rejected.fingerprint, rejected.status, rejected.body,
      ${microsText('rejected_at')} AS rejected
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    LEFT JOIN LATERAL ${PLACED_ORDER} AS placed ON true
    LEFT JOIN LATERAL ${REJECTED_ORDER} AS rejected ON true
    WHERE placed.id IS NOT NULL OR rejected.fingerprint IS NOT NULL`,
);

type PlacedRow = {
  id: string;
  account_id: string;
  key: string;
  reservation_id: string | null;
  placed_status: PlacedStatus;
  has_payment: boolean;
  response_status: number | null;
  response_body: string | null;
  answered: number | null;
  created: number;
  /** When it was created; `created` is earlier once the sandbox has moved the order into the past. */
  first_created: number;
  is_auto: boolean;
  offer_id: string;
  product_id: string;
  product_name: string;
  seller_id: string;
  seller_name: string;
  unit_price_minor: number;
  max_price_minor: number;
  reference: string | null;
  quantity_ordered: number;
  currency: string;
  decimals: number;
  discount_minor: number;
  total_price_minor: number;
};

const FIND_PLACED = prepareStatement<PlacedRow>(
  'find_placed_orders',
  `SELECT placed.id::text, account_id, idempotency_key AS key, reserved.id AS reservation_id, coalesce(log.from_status, placed.status) AS placed_status,
      payment.order_id IS NOT NULL AS has_payment, response_status, response_body,
      ${microsText('answered_at')} AS answered,
      ${microsText('created_at')} AS created,
      ${microsText("(created_at + coalesce(advanced.moved, interval '0'))")} AS first_created, is_auto, offer_id, product_id::text, product_name,
      seller_id, seller_name, unit_price_minor, max_price_minor, placed.reference, quantity_ordered, currency, decimals,
      discount_minor, total_price_minor
    FROM unnest($1::bigint[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM "order" WHERE "order".id = wanted.id LIMIT 1) AS placed
    CROSS JOIN LATERAL (SELECT * FROM offer WHERE offer.id = placed.offer_id LIMIT 1) AS offer
    LEFT JOIN LATERAL (SELECT * FROM gateway_payment WHERE order_id = placed.id LIMIT 1) AS payment ON true
    LEFT JOIN LATERAL (
      SELECT reservation.id FROM reservation_order JOIN reservation ON number = reservation_order.reservation
      WHERE reservation_order.order_id = placed.id LIMIT 1
    ) AS reserved ON true
    LEFT JOIN LATERAL (SELECT moved FROM advanced_order WHERE order_id = placed.id LIMIT 1) AS advanced ON true
    LEFT JOIN LATERAL (
      SELECT from_status FROM order_status_log WHERE order_id = placed.id ORDER BY order_id, id LIMIT 1
    ) AS log ON true`,
);

export type FoundRecord = { readonly key: KeyReference; readonly record: IdempotencyRecord };

/** How a statement is run: inside a transaction of Kysely's, or pipelined. */
type Run = <Row>(statement: PreparedStatement<Row>, values: readonly unknown[]) => Promise<Row[]>;

const FIND_RESERVED = prepareStatement<{
  account_id: string;
  key: string;
  fingerprint: string;
  response: string;
  reserved: number;
}>(
  'find_reserved',
  `SELECT reservation.account_id, idempotency_key AS key, reservation.fingerprint, response, ${microsText('reserved_at')} AS reserved
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    JOIN reservation ON reservation.account_id = request.account_id AND idempotency_key = request.key`,
);

type Request = KeyReference & Pick<PlaceOrder, 'reserve'>;

/** The keys that were used before. */
export function findRecords(db: Db, keys: readonly Request[]): Promise<readonly FoundRecord[]> {
  return find((statement, values) => statement.execute(db, values), keys);
}

/** Bodies of the responses to the requests with these keys that placed an order, without their traceIds; by key. */
export async function findCreatedBodies(
  db: Db,
  accountId: string,
  idempotencyKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = idempotencyKeys.map((idempotencyKey) => ({ accountId, idempotencyKey }));
  const records = await findRecords(db, keys);
  return new Map(
    records.flatMap(({ key, record }) =>
      record.status === CREATED && record.body !== null ? [[key.idempotencyKey, record.body]] : [],
    ),
  );
}

/** `findRecords` inside a group commit, sent after `lockIdempotencyKeys`. */
export function loadRecords(session: Session, keys: readonly Request[]): Promise<readonly FoundRecord[]> {
  return find((statement, values) => statement.send(session, values), keys);
}

async function find(run: Run, keys: readonly Request[]): Promise<readonly FoundRecord[]> {
  const reserving = keys.filter(({ reserve }) => reserve !== undefined);
  const [known, reserved] = await Promise.all([
    run(FIND_REQUESTS, keyColumns(keys)),
    reserving.length === 0 ? [] : run(FIND_RESERVED, keyColumns(reserving)),
  ]);
  const orderIds = known.flatMap((row) => (row.order_id === null ? [] : [row.order_id]));
  const placed = orderIds.length === 0 ? [] : await run(FIND_PLACED, [plainArray(orderIds)]);
  const rejected = known.flatMap((row): FoundRecord[] => {
    if (row.order_id !== null) return [];
    const { fingerprint, status, body, rejected: finishedAtMicros } = row;
    const key = { accountId: row.account_id, idempotencyKey: row.key };
    return [{ key, record: { fingerprint, status, body, finishedAtMicros } }];
  });
  const reservations = reserved.map((row): FoundRecord => {
    const { fingerprint, response: body, reserved: finishedAtMicros } = row;
    const key = { accountId: row.account_id, idempotencyKey: row.key };
    return { key, record: { fingerprint, status: CREATED, body, finishedAtMicros } };
  });
  return [...rejected, ...reservations, ...placed.map(viewPlaced)];
}

/** The response to an order's request: from the order itself, unless a payment provider had a say in it. */
function viewPlaced(row: PlacedRow): FoundRecord {
  const key = { accountId: row.account_id, idempotencyKey: row.key };
  const line = {
    quantity: row.quantity_ordered,
    maxPriceMinor: row.max_price_minor,
    reference: row.reference ?? undefined,
  };
  const fingerprint = fingerprintLine(
    row.is_auto
      ? { kind: 'auto', productId: row.product_id, ...line }
      : { kind: 'manual', offerId: row.offer_id, ...line },
    row.reservation_id ?? undefined,
  );
  if (row.has_payment) {
    const { response_status: status, response_body: body, answered: finishedAtMicros } = row;
    return { key, record: { fingerprint, status, body, finishedAtMicros } };
  }
  const body = createdBody({
    id: row.id,
    status: row.placed_status,
    createdAtMicros: row.first_created,
    currency: row.currency,
    decimals: row.decimals,
    discountMinor: row.discount_minor,
    totalPriceMinor: row.total_price_minor,
    reference: row.reference,
    items: [
      {
        id: orderItemId(row.id, 0),
        productId: row.product_id,
        productName: row.product_name,
        offerId: row.offer_id,
        sellerId: row.seller_id,
        sellerName: row.seller_name,
        unitPriceMinor: row.unit_price_minor,
        quantity: placedQuantities(row.placed_status, row.quantity_ordered),
      },
    ],
  });
  return { key, record: { fingerprint, status: CREATED, body, finishedAtMicros: row.created } };
}

export type LoadedAccount = AccountState & {
  /** The UTC day and hour of the sums: whole days and hours since the epoch. */
  readonly spendDay: number;
  readonly orderHour: number;
  /** Its ledger account of kind prepaid. */
  readonly ledgerAccountId: number;
  readonly statementEnd: StatementEnd;
  /** The customer whom the payment provider charges; null without a gateway. */
  readonly gatewayCustomer: string | null;
  readonly balanceLowThresholdMinor: number | null;
  /** Where its row is until the transaction changes it: no other can, as long as it is locked. */
  readonly tid: string;
};

type AccountRow = StatementEndRow & {
  id: string;
  status: AccountState['status'];
  payment_method: AccountState['paymentMethod'];
  gateway_customer: string | null;
  discount_basis_points: number;
  hold_orders: boolean;
  seller_id: string | null;
  order_value_max_minor: number | null;
  daily_spend_max_minor: number | null;
  daily_units_max: number | null;
  balance_minor: number;
  balance_low_threshold_minor: number | null;
  spend_day: number;
  day_spend_minor: string;
  day_units: number;
  created: number;
  order_hour: number;
  hour_orders: number;
  tid: string;
};

const ACCOUNT_COLUMNS = `account.id, account.status, payment_method, gateway_customer, discount_basis_points,
        hold_orders, seller_id, order_value_max_minor, daily_spend_max_minor, daily_units_max, balance_minor,
        balance_low_threshold_minor, spend_day - date '1970-01-01' AS spend_day, day_spend_minor::text, day_units,
        ${microsText('created_at')} AS created,
        (extract(epoch FROM order_hour) / 3600)::integer AS order_hour, hour_orders, account.ctid::text AS tid, ${STATEMENT_END}`;

/**
 * A subquery of at most one row, locked: looked up where it was last seen, or else by its index. LIMIT keeps the second look-up
 * from being made when the first finds it. `id` and `tid`: SQL.
 */
export function lockRow(
  table: string,
  columns: string,
  { id, tid }: { readonly id: string; readonly tid: string },
): string {
  return `(
      SELECT * FROM (
        SELECT ${columns} FROM ${table} WHERE ${table}.ctid = ${tid} AND ${table}.id = ${id} FOR NO KEY UPDATE
      ) AS near
      UNION ALL
      SELECT * FROM (SELECT ${columns} FROM ${table} WHERE ${table}.id = ${id} LIMIT 1 FOR NO KEY UPDATE) AS far
      LIMIT 1
    )`;
}

// Lateral with LIMIT: rows are then looked up, and locked, in the order of the parameters whatever the statistics of the
// tables say.
const LOAD_ACCOUNTS = prepareStatement<AccountRow>(
  'load_accounts',
  `SELECT account.*
    FROM (
      SELECT DISTINCT account_id, tid FROM unnest($1::uuid[], $2::uuid[], $3::tid[]) AS request (account_id, key, tid)
      WHERE ${HAS_LOCK} ORDER BY account_id
    ) AS request
    CROSS JOIN LATERAL ${lockRow('account', ACCOUNT_COLUMNS, { id: 'request.account_id', tid: 'request.tid' })} AS account`,
);

const LOAD_LEDGER_ACCOUNTS = prepareStatement<{ id: number; account_id: string }>(
  'load_ledger_accounts',
  `SELECT id, account_id FROM ledger_account
    WHERE kind = 'prepaid' AND account_id = ANY ($1::uuid[]) AND currency = 'EUR'`,
);

/**
 * The accounts of the requests whose keys are locked here: locked, each once, in the order of their ids. `ledgerAccountIds`
 * remembers what never changes, by account.
 */
export async function loadAccounts(
  session: Session,
  keys: readonly KeyReference[],
  {
    ledgerAccountIds,
    places,
  }: { readonly ledgerAccountIds: Map<string, number>; readonly places: RowPlaces },
): Promise<readonly LoadedAccount[]> {
  const tids = plainArray(keys.map(({ accountId }) => places.of(accountId)));
  const rows = await LOAD_ACCOUNTS.send(session, [...keyColumns(keys), tids]);
  const unknown = rows.flatMap(({ id }) => (ledgerAccountIds.has(id) ? [] : [id]));
  const found = unknown.length === 0 ? [] : await LOAD_LEDGER_ACCOUNTS.send(session, [plainArray(unknown)]);
  for (const { account_id, id } of found) ledgerAccountIds.set(account_id, id);
  return rows.map((row) =>
    viewAccount(row, must(ledgerAccountIds.get(row.id), 'an account has a ledger account')),
  );
}

const LOAD_DAY_SUMS = prepareStatement<{ id: string; spend: string; units: number }>(
  'load_day_sums',
  `SELECT account.id, coalesce(sum(placed.spend), 0)::text AS spend, coalesce(sum(placed.units), 0)::integer AS units
    FROM unnest($1::uuid[]) AS account (id)
    LEFT JOIN LATERAL (
      SELECT total_price_minor AS spend, quantity_ordered AS units
      FROM "order"
      WHERE account_id = account.id AND created_at >= to_timestamp($2::integer * 86400::bigint)
        AND created_at < to_timestamp(($2::integer + 1) * 86400::bigint)
        AND spend_day IS NULL AND origin = 'export-api' AND status <> 'canceled' AND NOT image_refunded
      UNION ALL
      SELECT total_price_minor, quantity_ordered
      FROM "order"
      WHERE account_id = account.id AND spend_day = date '1970-01-01' + $2::integer
        AND status <> 'canceled' AND NOT image_refunded
    ) AS placed ON true
    GROUP BY account.id`,
);

/**
 * The use of daily limits with which locked accounts begin a day, by id: nothing, unless they have counted on
 * it before because the clock went back or was ahead. Once a day for each account. Index: order_history_ix,
 * order_spend_day_ix.
 */
export async function loadDaySums(
  session: Session,
  accounts: readonly LoadedAccount[],
  day: number,
): Promise<Map<string, Pick<LoadedAccount, 'spendDay' | 'daySpendMinor' | 'dayUnits'>>> {
  const rows = await LOAD_DAY_SUMS.send(session, [plainArray(accounts.map(({ id }) => id)), day]);
  return new Map(
    rows.map(({ id, spend, units }) => [
      id,
      { spendDay: day, daySpendMinor: BigInt(spend), dayUnits: units },
    ]),
  );
}

function viewAccount(row: AccountRow, ledgerAccountId: number): LoadedAccount {
  return {
    id: row.id,
    status: row.status,
    paymentMethod: row.payment_method,
    gatewayCustomer: row.gateway_customer,
    discountBasisPoints: row.discount_basis_points,
    holdOrders: row.hold_orders,
    sellerId: row.seller_id,
    orderValueMaxMinor: row.order_value_max_minor,
    dailySpendMaxMinor: row.daily_spend_max_minor,
    dailyUnitsMax: row.daily_units_max,
    balanceMinor: row.balance_minor,
    balanceLowThresholdMinor: row.balance_low_threshold_minor,
    spendDay: row.spend_day,
    daySpendMinor: BigInt(row.day_spend_minor),
    dayUnits: row.day_units,
    createdAtMicros: row.created,
    orderHour: row.order_hour,
    hourOrders: row.hour_orders,
    ledgerAccountId,
    statementEnd: viewStatementEnd(row),
    tid: row.tid,
  };
}
