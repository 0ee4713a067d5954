import { isProductId } from '@keyport/core/ids';
import { countFirst, type List, numberKey, type Search, timeKey } from '../../db/keyset.sql.ts';
import { allRows, onlyValue } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import { matchesWords } from '../../db/search.sql.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros, toTimestamp } from '../../db/timestamps.ts';
import { REJECTION_CODE } from '../../sums/sums.sql.ts';

/** One more than the rejections that are sorted for a page. */
const COUNTED_MAX = 10_001;

export type RejectionsFilter = {
  readonly words?: string | undefined;
  readonly code?: string | undefined;
  readonly accountId?: string | undefined;
  readonly fromMicros: number | undefined;
  readonly toMicros: number | undefined;
};

/** Indexes: rejected_order_old_ix; rejected_order_pk for an account. */
export function rejectionsList(filter: RejectionsFilter, isDescending: boolean): List {
  const { words, code, accountId, fromMicros, toMicros } = filter;
  const scanned: Sql[] = [];
  if (fromMicros !== undefined) scanned.push(sql`rejected_order.rejected_at >= ${toTimestamp(fromMicros)}`);
  if (toMicros !== undefined) scanned.push(sql`rejected_order.rejected_at <= ${toTimestamp(toMicros)}`);
  return {
    from: sql`rejected_order`,
    alias: 'rejected_order',
    key: [timeKey('rejected_order.rejected_at'), numberKey('rejected_order.number')],
    isDescending,
    scanned,
    filters: [
      ...(words === undefined ? [] : [isFoundBy(words)]),
      ...(code === undefined ? [] : [sql`${sql.raw(REJECTION_CODE)} = ${code}`]),
    ],
    search: accountId === undefined ? undefined : ofAccount(accountId),
  };
}

const TARGET = sql`split_part(fingerprint, '|', 3)`;
const REFERENCE = sql`coalesce(substring(fingerprint FROM '^(?:[^|]*[|]){6}(.*)$'), '')`;
const TRACE_ID = /^[0-9a-f]{32}$/;
const UUID_START = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/**
 * The version of a key is left out: it differs in the keys that are stored for reservations. Indexes:
 * account_pkey, product_pkey, offer_id_ix, request_entry_trace_ix.
 */
function isFoundBy(query: string): Sql {
  const id = query.trim().toLowerCase();
  const words = sql`(SELECT search_words(name) FROM account WHERE account.id = account_id)
    || coalesce(${ofProduct('words')}, '') || search_words(${REFERENCE})`;
  const found = [matchesWords(sql`(${words})`, query)];
  if (isProductId(id)) found.push(sql`${TARGET} = ${id}`, sql`${ofProduct('id')} = ${id}::bigint`);
  if (UUID_START.test(id))
    found.push(
      sql`${TARGET} LIKE ${`${id}%`}`,
      sql`account_id::text LIKE ${`${id}%`}`,
      sql`idempotency_key::text LIKE ${`${id.slice(0, 14)}${id.length > 14 ? '_' : ''}${id.slice(15)}%`}`,
    );
  if (TRACE_ID.test(id))
    found.push(sql`EXISTS (
      SELECT FROM request_entry AS sent
      WHERE trace_id = ${id} AND sent.account_id = rejected_order.account_id
        AND rejected_order.idempotency_key::text LIKE overlay(sent.idempotency_key::text PLACING '_' FROM 15))`);
  return sql`(${sql.join(found, sql` OR `)})`;
}

/** A column of the requested product. */
function ofProduct(column: 'id' | 'words'): Sql {
  const value = sql.identifier(`product.${column}`);
  return sql`
    CASE split_part(fingerprint, '|', 2)
      WHEN 'auto' THEN (SELECT ${value} FROM product WHERE product.id = ${TARGET}::bigint)
      ELSE (SELECT ${value} FROM offer JOIN product ON product.id = product_id WHERE offer.id = ${TARGET}::uuid)
    END`;
}

function ofAccount(accountId: string): Search {
  const condition = sql`rejected_order.account_id = ${accountId}::uuid`;
  return countFirst(
    condition,
    (tx) => onlyValue<{ rejections: number }>(tx)`
      SELECT count(*) AS rejections
      FROM (SELECT FROM rejected_order WHERE ${condition} LIMIT ${COUNTED_MAX}) AS counted`,
  );
}

export type RejectionRow = {
  readonly number: number;
  readonly accountId: string;
  readonly accountName: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly body: string;
  readonly rejectedAtMicros: number;
};

/** Index: rejected_order_number_ix. */
export function loadRejections(db: Db, numbers: readonly string[]): Promise<RejectionRow[]> {
  return allRows<RejectionRow>(db)`
    SELECT number, account_id AS "accountId", account.name AS "accountName", idempotency_key AS "idempotencyKey", fingerprint, body,
      ${deriveMicros('rejected_at')} AS "rejectedAtMicros"
    FROM rejected_order JOIN account ON account.id = account_id
    WHERE number = ANY (${[...numbers]}::bigint[])`;
}

export type RequestedProduct = {
  readonly offerId: string | null;
  readonly productId: string;
  readonly productName: string;
};

export function findRequestedProducts(
  db: Db,
  requested: readonly { readonly productId: string | null; readonly offerId: string | null }[],
): Promise<RequestedProduct[]> {
  return allRows<RequestedProduct>(db)`
    SELECT NULL::uuid AS "offerId", id::text AS "productId", name AS "productName"
    FROM product WHERE id = ANY (${requested.map(({ productId }) => productId)}::bigint[])
    UNION ALL
    SELECT offer.id, product.id::text, name
    FROM offer JOIN product ON product.id = product_id
    WHERE offer.id = ANY (${requested.map(({ offerId }) => offerId)}::uuid[])`;
}
