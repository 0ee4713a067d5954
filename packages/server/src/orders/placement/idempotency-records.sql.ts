import { must } from '@keyport/core/assert';
import { fingerprintLine, type IdempotencyRecord, type LineTerms } from '@keyport/core/idempotency';
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
import type { Db, Tx } from '../../db/schema.ts';
import { microsText } from '../../db/timestamps.ts';
import { STATEMENT_END, type StatementEndRow, viewStatementEnd } from '../../ledger/transfers.sql.ts';
import { CREATED, createdBody, type OrderItemView, type OrderView } from '../order-response.ts';
import { selectItemTerms, selectOrderTerms } from '../order-terms.sql.ts';

export type KeyReference = { readonly accountId: string; readonly idempotencyKey: string };

export type LockedKeys = {
  readonly nowMicros: number;
  /** False: a duplicate is in flight on another node. */
  readonly isLocked: readonly boolean[];
};

const KEY_HASH = 'uuid_hash_extended(request.key, uuid_hash_extended(request.account_id, 0))';

/** The transaction keeps the lock until it ends. */
export const HAS_LOCK = `pg_try_advisory_xact_lock(${KEY_HASH})`;

const LOCK_KEYS = prepareStatement<{ now: number; locked: boolean }>(
  'lock_idempotency_keys',
  `SELECT ${microsText('transaction_timestamp()')} AS now, ${HAS_LOCK} AS locked
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS request (account_id, key, place)
    ORDER BY request.place`,
);

/** Does not wait (A40). A later statement must read the records, to see those committed before the lock. */
export async function lockIdempotencyKeys(
  session: Session,
  keys: readonly KeyReference[],
): Promise<LockedKeys> {
  const rows = await LOCK_KEYS.send(session, keyColumns(keys));
  return {
    nowMicros: rows[0]?.now ?? 0,
    isLocked: rows.map((row) => row.locked),
  };
}

/** The statements of a batch share the encoded keys. */
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

// OFFSET 0 keeps the order, so that two nodes that wait for the same keys do not deadlock.
const WAIT_FOR_KEYS = prepareStatement<Record<string, never>>(
  'wait_for_idempotency_keys',
  `SELECT pg_advisory_xact_lock(hash) FROM (
    SELECT ${KEY_HASH} AS hash
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    ORDER BY hash OFFSET 0
  ) AS ordered`,
);

/** Waits for the transactions that hold the keys. */
export async function waitForIdempotencyKeys(tx: Tx, keys: readonly KeyReference[]): Promise<void> {
  await WAIT_FOR_KEYS.execute(tx, keyColumns(keys));
}

/**
 * Compares rows, because a plan made while the table was small would keep using order_history_ix. Index:
 * order_idempotency_key_uq.
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

/** `orderId`: null if the request was rejected. */
type KnownRow = FoundRecord & { readonly orderId: string | null };

const FIND_REQUESTS = prepareStatement<KnownRow>(
  'find_requests',
  `SELECT request.account_id AS "accountId", request.key AS "idempotencyKey", placed.id::text AS "orderId",
      rejected.fingerprint, rejected.status, rejected.body, ${microsText('rejected_at')} AS "finishedAtMicros"
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    LEFT JOIN LATERAL ${PLACED_ORDER} AS placed ON true
    LEFT JOIN LATERAL ${REJECTED_ORDER} AS rejected ON true
    WHERE placed.id IS NOT NULL OR rejected.fingerprint IS NOT NULL`,
);

type PlacedRow = Omit<OrderView, 'items' | 'status'> &
  Omit<OrderItemView, 'quantity'> &
  KeyReference & {
    readonly status: PlacedStatus;
    readonly reservationId: string | null;
    readonly hasPayment: boolean;
    readonly responseStatus: number | null;
    readonly responseBody: string | null;
    readonly answeredAtMicros: number | null;
    /** Earlier than `createdAtMicros` if the sandbox moved the order into the past. */
    readonly movedAtMicros: number;
    readonly isAuto: boolean;
    readonly maxPriceMinor: number;
    readonly ordered: number;
  };

const FIND_PLACED = prepareStatement<PlacedRow>(
  'find_placed_orders',
  `SELECT placed.id::text, account_id AS "accountId", idempotency_key AS "idempotencyKey",
      reserved.id AS "reservationId", coalesce(log.from_status, placed.status) AS status,
      payment.order_id IS NOT NULL AS "hasPayment", response_status AS "responseStatus", response_body AS "responseBody",
      ${microsText('answered_at')} AS "answeredAtMicros", ${microsText('created_at')} AS "movedAtMicros",
      ${microsText("(created_at + coalesce(placed.moved, interval '0'))")} AS "createdAtMicros", is_auto AS "isAuto",
      product_id::text AS "productId", seller_id AS "sellerId", max_price_minor AS "maxPriceMinor",
      quantity_ordered AS ordered, currency, decimals, ${selectOrderTerms('placed')}, ${selectItemTerms('placed')}
    FROM unnest($1::bigint[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM "order" WHERE "order".id = wanted.id LIMIT 1) AS placed
    CROSS JOIN LATERAL (SELECT * FROM offer WHERE offer.id = placed.offer_id LIMIT 1) AS offer
    LEFT JOIN LATERAL (SELECT * FROM gateway_payment WHERE order_id = placed.id LIMIT 1) AS payment ON true
    LEFT JOIN LATERAL (
      SELECT reservation.id FROM reservation WHERE number = placed.reservation LIMIT 1
    ) AS reserved ON true
    LEFT JOIN LATERAL (
      SELECT from_status FROM order_status_log WHERE order_id = placed.id ORDER BY order_id, id LIMIT 1
    ) AS log ON true`,
);

export type FoundRecord = KeyReference & IdempotencyRecord;

/** Runs a statement in a transaction, or pipelined. */
type Run = <Row>(statement: PreparedStatement<Row>, values: readonly unknown[]) => Promise<Row[]>;

const FIND_RESERVED = prepareStatement<FoundRecord & { readonly body: string }>(
  'find_reserved',
  `SELECT reservation.account_id AS "accountId", idempotency_key AS "idempotencyKey", reservation.fingerprint,
      ${CREATED} AS status, response AS body, ${microsText('reserved_at')} AS "finishedAtMicros"
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    JOIN reservation ON reservation.account_id = request.account_id AND idempotency_key = request.key`,
);

type Request = KeyReference & Pick<PlaceOrder, 'reserve'>;

export function findRecords(db: Db, keys: readonly Request[]): Promise<readonly FoundRecord[]> {
  return find((statement, values) => statement.execute(db, values), keys);
}

export async function findCreatedBodies(
  db: Db,
  accountId: string,
  idempotencyKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = idempotencyKeys.map((idempotencyKey) => ({ accountId, idempotencyKey }));
  const records = await findRecords(db, keys);
  return new Map(
    records.flatMap(({ idempotencyKey, status, body }) =>
      status === CREATED && body !== null ? [[idempotencyKey, body]] : [],
    ),
  );
}

export function loadRecords(session: Session, keys: readonly Request[]): Promise<readonly FoundRecord[]> {
  return find((statement, values) => statement.send(session, values), keys);
}

async function find(run: Run, keys: readonly Request[]): Promise<readonly FoundRecord[]> {
  const reserving = keys.filter(({ reserve }) => reserve !== undefined);
  const [known, reserved] = await Promise.all([
    run(FIND_REQUESTS, keyColumns(keys)),
    reserving.length === 0 ? [] : run(FIND_RESERVED, keyColumns(reserving)),
  ]);
  const orderIds = known.flatMap(({ orderId }) => orderId ?? []);
  const placed = orderIds.length === 0 ? [] : await run(FIND_PLACED, [plainArray(orderIds)]);
  const rejected = known.filter(({ orderId }) => orderId === null);
  return [...rejected, ...reserved, ...placed.map(viewPlaced)];
}

/** Derives the response from the order, unless a payment provider decided it. */
function viewPlaced(row: PlacedRow): FoundRecord {
  const { id, accountId, idempotencyKey, status, ordered: quantity, maxPriceMinor, productId, offerId } = row;
  // All terms that the reseller sent: without one of them, its replay would be taken for a different request.
  const line: Required<LineTerms> = { quantity, maxPriceMinor, reference: row.reference ?? undefined };
  const fingerprint = fingerprintLine(
    row.isAuto ? { kind: 'auto', productId, ...line } : { kind: 'manual', offerId, ...line },
    row.reservationId ?? undefined,
  );
  const request = { accountId, idempotencyKey, fingerprint };
  if (row.hasPayment) {
    const { responseStatus, responseBody: body, answeredAtMicros: finishedAtMicros } = row;
    return { ...request, status: responseStatus, body, finishedAtMicros };
  }
  const item = { ...row, id: orderItemId(id, 0), quantity: placedQuantities(status, quantity) };
  const body = createdBody({ ...row, items: [item] });
  return { ...request, status: CREATED, body, finishedAtMicros: row.movedAtMicros };
}

export type LoadedAccount = AccountState & {
  /** Whole UTC days and hours since the epoch. */
  readonly spendDay: number;
  readonly orderHour: number;
  readonly ledgerAccountId: number;
  readonly statementEnd: StatementEnd;
  readonly gatewayCustomer: string | null;
  readonly balanceLowThresholdMinor: number | null;
};

type AccountRow = Omit<LoadedAccount, 'daySpendMinor' | 'ledgerAccountId' | 'statementEnd'> &
  StatementEndRow & { readonly daySpend: string };

const ACCOUNT_COLUMNS = `account.id, account.status, payment_method AS "paymentMethod",
        gateway_customer AS "gatewayCustomer", discount_basis_points AS "discountBasisPoints",
        hold_orders AS "holdOrders", seller_id AS "sellerId", order_value_max_minor AS "orderValueMaxMinor",
        daily_spend_max_minor AS "dailySpendMaxMinor", daily_units_max AS "dailyUnitsMax",
        balance_minor AS "balanceMinor", balance_low_threshold_minor AS "balanceLowThresholdMinor",
        spend_day - date '1970-01-01' AS "spendDay", day_spend_minor::text AS "daySpend", day_units AS "dayUnits",
        ${microsText('created_at')} AS "createdAtMicros",
        (extract(epoch FROM order_hour) / 3600)::integer AS "orderHour", hour_orders AS "hourOrders", ${STATEMENT_END}`;

// LATERAL with LIMIT locks rows in the order of the parameters, regardless of the statistics.
const LOAD_ACCOUNTS = prepareStatement<AccountRow>(
  'load_accounts',
  `SELECT account.*
    FROM (
      SELECT DISTINCT account_id FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
      WHERE ${HAS_LOCK} ORDER BY account_id
    ) AS request
    CROSS JOIN LATERAL (
      SELECT ${ACCOUNT_COLUMNS} FROM account WHERE account.id = request.account_id LIMIT 1 FOR NO KEY UPDATE
    ) AS account`,
);

const LOAD_LEDGER_ACCOUNTS = prepareStatement<{ id: number; account_id: string }>(
  'load_ledger_accounts',
  `SELECT id, account_id FROM ledger_account
    WHERE kind = 'prepaid' AND account_id = ANY ($1::uuid[]) AND currency = 'EUR'`,
);

/** Sorted by id; only for requests whose keys this transaction locked. */
export async function loadAccounts(
  session: Session,
  keys: readonly KeyReference[],
  ledgerAccountIds: Map<string, number>,
): Promise<readonly LoadedAccount[]> {
  const rows = await LOAD_ACCOUNTS.send(session, keyColumns(keys));
  const unknown = rows.flatMap(({ id }) => (ledgerAccountIds.has(id) ? [] : [id]));
  const found = unknown.length === 0 ? [] : await LOAD_LEDGER_ACCOUNTS.send(session, [plainArray(unknown)]);
  for (const { account_id, id } of found) ledgerAccountIds.set(account_id, id);
  return rows.map((row) => ({
    ...row,
    daySpendMinor: BigInt(row.daySpend),
    ledgerAccountId: must(ledgerAccountIds.get(row.id), 'an account has a ledger account'),
    statementEnd: viewStatementEnd(row),
  }));
}

const LOAD_DAY_SUMS = prepareStatement<{ id: string; spend: string; dayUnits: number }>(
  'load_day_sums',
  `SELECT account.id, coalesce(sum(placed.spend), 0)::text AS spend, coalesce(sum(placed.units), 0)::integer AS "dayUnits"
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

/** For a day whose sums are not in the account's row. Indexes: order_history_ix, order_spend_day_ix. */
export async function loadDaySums(
  session: Session,
  accounts: readonly LoadedAccount[],
  day: number,
): Promise<Map<string, Pick<LoadedAccount, 'spendDay' | 'daySpendMinor' | 'dayUnits'>>> {
  const rows = await LOAD_DAY_SUMS.send(session, [plainArray(accounts.map(({ id }) => id)), day]);
  return new Map(
    rows.map(({ id, spend, dayUnits }) => [id, { spendDay: day, daySpendMinor: BigInt(spend), dayUnits }]),
  );
}
