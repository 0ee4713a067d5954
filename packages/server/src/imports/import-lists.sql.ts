import type { ImportRunRecord } from '@keyport/contract/catalogue/imports';
import { plainArray } from '../db/engines/prepared.ts';
import { type List, numberKey } from '../db/keyset.sql.ts';
import { allRows } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { matchesWords } from '../db/search.sql.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { CAN_UNDO, IS_FREE } from './import-runs.sql.ts';

const STATE = sql`CASE WHEN import_run.is_completed THEN 'completed'
  WHEN import_run.finished_at IS NULL AND NOT ${IS_FREE} THEN 'running' ELSE 'stopped' END`;

/** Index: import_run_pkey. */
export function runsList(asked: OperationRequest<'listImports'>['query']): List {
  const { query, runId, importId, kind, state, dryRun, sort } = asked;
  const filters: Sql[] = [];
  if (query !== undefined) filters.push(matchesRun(query.trim()));
  if (kind !== undefined) filters.push(sql`import_run.kind = ${kind}`);
  if (state !== undefined) filters.push(sql`${STATE} = ${state}`);
  if (dryRun !== undefined) filters.push(sql`import_run.dry_run = ${dryRun === 'true'}`);
  return {
    from: sql`import_run`,
    alias: 'import_run',
    key: [numberKey('import_run.number')],
    isDescending: sort !== 'startedAt',
    scanned: [
      ...(runId === undefined ? [] : [sql`import_run.number = ${runId}::bigint`]),
      ...(importId === undefined ? [] : [sql`import_run.import_id = ${importId}`]),
    ],
    filters,
  };
}

function matchesRun(query: string): Sql {
  const words = sql`search_words(concat_ws(' ', import_run.import_id, import_run.file_name,
    import_run.kind, import_run.client_id))`;
  return sql`(import_run.number::text = ${query} OR ${matchesWords(words, query)})`;
}

export type ListedRun = Omit<ImportRunRecord, 'id' | 'name' | 'startedAt' | 'endedAt' | 'undoneAt'> & {
  readonly id: number;
  readonly name: string | null;
  readonly startedAtMicros: number;
  /** When the run ended or last made progress. */
  readonly endedAtMicros: number;
  readonly undoneAtMicros: number | null;
};

export function loadRuns(db: Db, numbers: readonly string[]): Promise<ListedRun[]> {
  return allRows<ListedRun>(db)`
    SELECT number AS id, import_id AS "importId", kind, dry_run AS "dryRun", delete_missing AS "deleteMissing",
      ${STATE} AS state, ${deriveMicros('started_at')} AS "startedAtMicros",
      ${deriveMicros('least(coalesce(finished_at, held_until), clock_timestamp())')} AS "endedAtMicros", client_id AS "clientId",
      coalesce((SELECT name FROM person WHERE person.id = client_id), (SELECT name FROM client WHERE client.id = client_id)) AS name,
      file_name AS "fileName", ${deriveMicros('undone_at')} AS "undoneAtMicros", (
        EXISTS (SELECT FROM import_offer WHERE run = number AND outcome IS NULL)
        OR EXISTS (SELECT FROM stock_key WHERE added_by_import = import_run.number)) AND ${IS_FREE} AND ${CAN_UNDO} AS "canUndo",
      committed_line AS line, read, written, unchanged, rejected, removed, restored,
      jsonb_array_length(rejects) AS "rejectsKept"
    FROM import_run WHERE number = ANY (${plainArray(numbers)}::bigint[])`;
}

/** Reads a whole table: a list may name any seller. */
export function listSellerNames(db: Db): Promise<{ id: string; name: string }[]> {
  return allRows<{ id: string; name: string }>(db)`SELECT id, name FROM seller`;
}

type OfferNames = { readonly productName: string; readonly sellerName: string };

export async function listOfferNames(db: Db, offerIds: readonly string[]): Promise<Map<string, OfferNames>> {
  const rows = await allRows<OfferNames & { id: string }>(db)`
    SELECT offer.id, product.name AS "productName", seller.name AS "sellerName" FROM offer
    JOIN product ON product.id = product_id JOIN seller ON seller.id = seller_id
    WHERE offer.id = ANY (${plainArray(offerIds)}::uuid[])`;
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

const REJECTS = sql`import_run CROSS JOIN jsonb_to_recordset(rejects) AS import_reject (line bigint, message text)`;

export function rejectsList(run: number): List {
  return {
    from: REJECTS,
    alias: 'import_reject',
    key: [numberKey('import_reject.line')],
    isDescending: false,
    scanned: [sql`import_run.number = ${run}`],
  };
}

export type RejectRow = { readonly line: number; readonly message: string };

export function loadRejects(db: Db, run: number, lines: readonly string[]): Promise<RejectRow[]> {
  return allRows<RejectRow>(db)`
    SELECT line, message FROM ${REJECTS} WHERE number = ${run}
      AND line = ANY (${plainArray(lines)}::bigint[])`;
}
