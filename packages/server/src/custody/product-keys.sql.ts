/**
 * Statements of sealed product keys. Locks: `insertSealedKeys` waits for another transaction that is adding the same
 * code, in the order of the codes' hashes; its foreign key takes the offers FOR KEY SHARE, so a transaction that also
 * updates offers locks them (by id) before it comes here.
 */
import { must } from '@keyport/core/assert';
import { type Kysely, sql, type Transaction } from 'kysely';
import { plainArray } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import type { Wrapped } from './envelope.ts';

/** A row of stock_key before it is inserted. */
export type SealedKey = {
  readonly id: number;
  readonly offerId: string;
  readonly kind: 'text' | 'image';
  readonly dataKeyId: number;
  readonly nonce: Buffer;
  /** With the tag at its end. */
  readonly ciphertext: Buffer;
  readonly codeMac: Buffer;
};

/** How many units an offer gained. The caller adds them to offer.available_text and available_image. */
type AddedUnits = { readonly offerId: string; readonly text: number; readonly image: number };

export type InsertedKeys = {
  readonly added: number;
  /** Codes that were in stock before, or twice in the batch. */
  readonly duplicates: number;
  /** Offers that gained a unit, by id. */
  readonly addedByOffer: readonly AddedUnits[];
};

/** Inserts the rows whose code is new to the whole installation (Invariant I27). Of equal codes the lower id stays. */
export async function insertSealedKeys(
  tx: Transaction<Schema>,
  rows: readonly SealedKey[],
): Promise<InsertedKeys> {
  if (rows.length === 0) return { added: 0, duplicates: 0, addedByOffer: [] };
  const { rows: addedByOffer } = await sql<AddedUnits>`
    WITH added AS (
      INSERT INTO stock_key (id, offer_id, kind, data_key_id, nonce, ciphertext, code_mac)
      SELECT id, offer_id, kind, data_key_id,
        decode(nonce, 'hex'), decode(ciphertext, 'hex'), decode(code_mac, 'hex')
      FROM unnest(
        ${plainArray(rows.map(({ id }) => id))}::bigint[],
        ${plainArray(rows.map(({ offerId }) => offerId))}::uuid[],
        ${plainArray(rows.map(({ kind }) => kind))}::text[],
        ${plainArray(rows.map(({ dataKeyId }) => dataKeyId))}::bigint[],
        ${plainArray(rows.map(({ nonce }) => nonce.toString('hex')))}::text[],
        ${plainArray(rows.map(({ ciphertext }) => ciphertext.toString('hex')))}::text[],
        ${plainArray(rows.map(({ codeMac }) => codeMac.toString('hex')))}::text[]
      ) AS sealed (id, offer_id, kind, data_key_id, nonce, ciphertext, code_mac)
      -- Two imports with the same codes in different order would otherwise end in a deadlock.
      ORDER BY code_mac, id
      ON CONFLICT (code_mac) DO NOTHING
      RETURNING offer_id, kind
    )
    SELECT offer_id AS "offerId",
      count(*) FILTER (WHERE kind = 'text') AS text,
      count(*) FILTER (WHERE kind = 'image') AS image
    FROM added GROUP BY offer_id ORDER BY offer_id`.execute(tx);
  const added = addedByOffer.reduce((sum, { text, image }) => sum + text + image, 0);
  return { added, duplicates: rows.length - added, addedByOffer };
}

/**
 * Draws ids for new rows, ascending, and says whether this transaction sees the data key: its row is missing while
 * the transaction that made it is still open, and forever when that one was rolled back.
 */
export async function drawStockKeyIds(
  tx: Transaction<Schema>,
  draw: { count: number; dataKeyId: number | undefined },
): Promise<{ ids: number[]; isDataKeyVisible: boolean }> {
  const { rows } = await sql<{ ids: number[]; isDataKeyVisible: boolean }>`
    SELECT ARRAY(SELECT nextval('stock_key_id_seq') FROM generate_series(1, ${draw.count}::integer)) AS ids,
      EXISTS (SELECT FROM data_key WHERE id = ${draw.dataKeyId ?? null}::bigint) AS "isDataKeyVisible"`.execute(
    tx,
  );
  return must(rows[0], 'SELECT without FROM gives one row');
}

/** An id for a new data key. It is drawn first because it is part of what the wrapped key is bound to. */
export async function drawDataKeyId(tx: Transaction<Schema>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('data_key', 'id')) AS id`.execute(tx);
  return must(rows[0], 'SELECT without FROM gives one row').id;
}

export async function insertDataKey(
  tx: Transaction<Schema>,
  dataKey: Wrapped & { readonly id: number },
): Promise<void> {
  await sql`
    INSERT INTO data_key (id, wrapped, master_key_id) OVERRIDING SYSTEM VALUE
    VALUES (${dataKey.id}::bigint, ${dataKey.wrapped}::bytea, ${dataKey.masterKeyId})`.execute(tx);
}

/** The wrapped data keys with these ids, by primary key. */
export async function listDataKeys(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<(Wrapped & { readonly id: number })[]> {
  const { rows } = await sql<Wrapped & { readonly id: number }>`
    SELECT id, wrapped, master_key_id AS "masterKeyId" FROM data_key WHERE id = ANY (${[...ids]}::bigint[])`.execute(
    db,
  );
  return rows;
}
