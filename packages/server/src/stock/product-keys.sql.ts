/** Lock order: offers, then codes that another transaction adds, by hash. */
import type { Wrapped } from '../custody/envelope.ts';
import { prepareStatement } from '../db/engines/prepared.ts';
import { declareColumns } from '../db/row-columns.ts';
import { allRows, execute, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { closeGaps } from './stock.sql.ts';

export type SealedKey = {
  readonly id: number;
  readonly offerId: string;
  readonly kind: 'text' | 'image';
  readonly dataKeyId: number;
  readonly nonce: Buffer;
  /** Ends with the tag. */
  readonly ciphertext: Buffer;
  readonly codeMac: Buffer;
};

type AddedUnits = { readonly offerId: string; readonly text: number; readonly image: number };

export type InsertedKeys = {
  readonly added: number;
  /** Codes already in stock or repeated in the batch. */
  readonly duplicates: number;
  readonly addedByOffer: readonly AddedUnits[];
};

const SEALED_KEYS = declareColumns<SealedKey>({
  id: ['bigint', ({ id }) => id],
  offer_id: ['uuid', ({ offerId }) => offerId],
  kind: ['text', ({ kind }) => kind],
  data_key_id: ['bigint', ({ dataKeyId }) => dataKeyId],
  nonce: ['bytea', ({ nonce }) => nonce],
  ciphertext: ['bytea', ({ ciphertext }) => ciphertext],
  code_mac: ['bytea', ({ codeMac }) => codeMac],
});

type TriedKey = { offerId: string; number: number | null; isAdded: boolean };

// IN uses a hash table; for a join the planner would choose a nested loop.
const INSERT_SEALED_KEYS = prepareStatement<TriedKey>(
  'insert_sealed_keys',
  `WITH sealed AS (
      SELECT DISTINCT ON (code_mac) id, offer_id, kind, data_key_id, nonce, ciphertext, code_mac
      FROM ${SEALED_KEYS.unnest(1, 'sealed')}
      WHERE NOT EXISTS (SELECT FROM stock_key WHERE stock_key.code_mac = sealed.code_mac)
      ORDER BY code_mac, id
    ), numbered AS MATERIALIZED (
      SELECT sealed.*, CASE WHEN kind = 'text'
        THEN end_unit - 1 + row_number() OVER (PARTITION BY offer_id, kind ORDER BY sealed.id) END AS number
      FROM sealed JOIN offer ON offer.id = offer_id
    ), added AS (
      INSERT INTO stock_key (id, offer_id, kind, number, data_key_id, nonce, ciphertext, code_mac, added_by_import)
      SELECT id, offer_id, kind, number, data_key_id, nonce, ciphertext, code_mac, $8::bigint FROM numbered
      -- Otherwise two imports with the same codes in different order would deadlock.
      ORDER BY code_mac, id
      ON CONFLICT (code_mac) DO NOTHING
      RETURNING id
    ), counted AS (
      UPDATE offer SET end_unit = end_unit + counts.text, available_image = available_image + counts.image,
        units = units + counts.added
      FROM (
        SELECT offer_id, count(number)::integer AS text,
          count(*) FILTER (WHERE number IS NULL AND id IN (SELECT id FROM added))::integer AS image,
          count(*) FILTER (WHERE id IN (SELECT id FROM added))::integer AS added
        FROM numbered GROUP BY offer_id
      ) AS counts
      WHERE offer.id = counts.offer_id
    )
    SELECT offer_id AS "offerId", number, id IN (SELECT id FROM added) AS "isAdded"
    FROM numbered ORDER BY offer_id`,
);

/**
 * Inserts codes that are new to the installation (A58); of equal ones, the one with the lowest id. The
 * offers must be locked.
 */
export async function insertSealedKeys(
  tx: Tx,
  rows: readonly SealedKey[],
  importRun?: number,
): Promise<InsertedKeys> {
  if (rows.length === 0) return { added: 0, duplicates: 0, addedByOffer: [] };
  const tried = await INSERT_SEALED_KEYS.execute(tx, [...SEALED_KEYS.arrays(rows), importRun ?? null]);
  // If another import added the same codes, their numbers stay unused.
  const gaps = tried.flatMap(({ offerId, number, isAdded }) =>
    isAdded || number === null ? [] : [{ offerId, number }],
  );
  await closeGaps(tx, gaps);
  const added = tried.filter(({ isAdded }) => isAdded);
  const addedByOffer = Array.from(
    Map.groupBy(added, ({ offerId }) => offerId),
    ([offerId, units]) => {
      const text = units.filter(({ number }) => number !== null).length;
      return { offerId, text, image: units.length - text };
    },
  );
  return { added: added.length, duplicates: rows.length - added.length, addedByOffer };
}

/** Ids ascend. The data key is invisible while the transaction that creates it is open. */
export function drawStockKeyIds(
  tx: Tx,
  draw: { count: number; dataKeyId: number | undefined },
): Promise<{ ids: number[]; isDataKeyVisible: boolean }> {
  return onlyRow<{ ids: number[]; isDataKeyVisible: boolean }>(tx)`
    SELECT ARRAY(SELECT nextval('stock_key_id_seq') FROM generate_series(1, ${draw.count}::integer)) AS ids,
      EXISTS (SELECT FROM data_key
      WHERE id = ${draw.dataKeyId ?? null}::bigint) AS "isDataKeyVisible"`;
}

export function drawDataKeyId(tx: Tx): Promise<number> {
  return onlyValue<{ id: number }>(tx)`
    SELECT nextval(pg_get_serial_sequence('data_key', 'id')) AS id`;
}

export async function insertDataKey(tx: Tx, dataKey: Wrapped & { readonly id: number }): Promise<void> {
  await execute(tx)`
    INSERT INTO data_key (id, wrapped, master_key_id) OVERRIDING SYSTEM VALUE
    VALUES (${dataKey.id}::bigint, ${dataKey.wrapped}::bytea, ${dataKey.masterKeyId})`;
}

export function listDataKeys(db: Db, ids: readonly number[]): Promise<(Wrapped & { readonly id: number })[]> {
  return allRows<Wrapped & { readonly id: number }>(db)`
    SELECT id, wrapped, master_key_id AS "masterKeyId" FROM data_key
    WHERE id = ANY (${[...ids]}::bigint[])`;
}
