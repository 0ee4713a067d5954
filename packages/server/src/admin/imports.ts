/**
 * Imports lines in batches, each in a transaction of its own: what is committed stays, whatever happens to the rest of
 * the stream. The lines have the effect of PUTs one after another. Memory holds one batch. A8: a batch stamps its
 * products as its last step, so it holds the catalogue clock for one statement only.
 */
import { IMPORT_LINES, type ImportKind, type ImportResult } from '@keyport/contract/admin';
import type { Transaction } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { insertAudit } from '../db/audit.sql.ts';
import { stampProducts } from '../db/catalogue-clock.sql.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { compileCheck } from '../http/validation.ts';
import { type Acting, auditRecord } from './action.ts';
import { listOfferOwners, type OfferRow, type ProductRow, type SellerRow } from './catalogue.sql.ts';
import {
  type KeyLine,
  type KeyStock,
  newCode,
  offerRow,
  productRow,
  sellerRow,
  unknownReference,
  type Written,
  writeKeys,
  writeOffers,
  writeProducts,
  writeSellers,
} from './catalogue.ts';
import type { ImportLine } from './import-lines.ts';

export type ImportDeps = {
  readonly database: Database;
  readonly stock: KeyStock;
  /** Called after each batch of which resellers can see something (A16). */
  readonly onCatalogueChanged: () => void;
};

/** Imports the lines as the given operator. Throws what the stream or the database throws; the batches before stay. */
export type Import = (request: Acting, lines: AsyncIterable<ImportLine>) => Promise<ImportResult>;

/** How lines of one kind are written; `Row` is such a line in the terms of the database. */
type Target<Row> = {
  readonly kind: ImportKind;
  readonly parse: (value: unknown) => { readonly row: Row } | { readonly problem: string };
  /** Two rows with the same identity are never in one batch, so that the later line finds the earlier one's effect. */
  readonly identityOf: (row: Row) => string | number | undefined;
  readonly write: (tx: Transaction<Schema>, rows: readonly Row[]) => Promise<WrittenBatch>;
};

type WrittenBatch = {
  readonly written: number;
  readonly unchanged: number;
  /** By the index of the row. */
  readonly refusals: ReadonlyMap<number, string>;
  readonly changedProductIds: readonly number[];
};

type Batch<Row> = {
  readonly rows: { readonly line: number; readonly row: Row }[];
  readonly identities: Set<string | number>;
  readonly errors: ImportResult['errors'];
  sizeBytes: number;
};

/**
 * A batch holds locks that orders wait for: about 60 ms, measured with 15,000 to 19,000 new products or offers a second
 * on either engine (2 cores, 2026-11-21).
 */
const BATCH_LINE_COUNT_MAX = 1_000;
const BATCH_SIZE_BYTES_MAX = 4 * 1_048_576;
/** Of the contract's ImportResult. */
const ERROR_COUNT_MAX = 1_000;

/** One import for each kind of lines. */
export function buildImports(deps: ImportDeps): Readonly<Record<ImportKind, Import>> {
  return {
    sellers: buildImport<SellerRow>(deps, {
      kind: 'sellers',
      parse: buildParser(IMPORT_LINES.sellers, (line) => sellerRow(line.id, line)),
      identityOf: ({ id }) => id,
      write: async (tx, rows) => summarise(await writeSellers(tx, rows)),
    }),
    products: buildImport<ProductRow>(deps, {
      kind: 'products',
      parse: buildParser(IMPORT_LINES.products, (line) => productRow(line.id, line)),
      identityOf: ({ id }) => id,
      write: async (tx, rows) => summarise(await writeProducts(tx, rows)),
    }),
    offers: buildImport<OfferRow>(deps, {
      kind: 'offers',
      parse: buildParser(IMPORT_LINES.offers, (line) => offerRow(line.id, line)),
      identityOf: ({ id }) => id,
      write: async (tx, rows) => summarise(await writeOffers(tx, rows)),
    }),
    keys: buildImport<KeyLine>(deps, {
      kind: 'keys',
      parse: buildParser(
        IMPORT_LINES.keys,
        (line): KeyLine => ({ ...line, offerId: line.offerId.toLowerCase() }),
      ),
      identityOf: () => undefined,
      write: (tx, lines) => writeKeyLines(tx, deps.stock, lines),
    }),
  };
}

function buildImport<Row>(deps: ImportDeps, target: Target<Row>): Import {
  return async (request, lines) => {
    const result: ImportResult = { read: 0, written: 0, unchanged: 0, rejected: 0, errors: [] };
    let batch = emptyBatch<Row>();
    const flush = async () => {
      if (batch.rows.length > 0) await commitBatch(deps, request, target, batch, result);
      result.rejected += batch.errors.length;
      batch.errors.sort((one, other) => one.line - other.line);
      result.errors.push(...batch.errors.slice(0, ERROR_COUNT_MAX - result.errors.length));
      batch = emptyBatch();
    };
    for await (const line of lines) {
      result.read += 1;
      const parsed = 'problem' in line ? line : target.parse(line.value);
      const identity = 'row' in parsed ? target.identityOf(parsed.row) : undefined;
      if (isFull(batch) || (identity !== undefined && batch.identities.has(identity))) await flush();
      batch.sizeBytes += line.sizeBytes;
      if (identity !== undefined) batch.identities.add(identity);
      if ('row' in parsed) batch.rows.push({ line: line.line, row: parsed.row });
      else batch.errors.push({ line: line.line, message: `${parsed.problem}.` });
    }
    await flush();
    return result;
  };
}

/** Writes the rows of the batch and adds to the result, and to the errors of the batch, what became of them. */
async function commitBatch<Row>(
  { database, onCatalogueChanged }: ImportDeps,
  request: Acting,
  target: Target<Row>,
  batch: Batch<Row>,
  result: ImportResult,
): Promise<void> {
  const rows = batch.rows.map(({ row }) => row);
  const { written, unchanged, refusals, changedProductIds } = await runTransaction(
    database,
    {},
    async (tx) => {
      const outcome = await target.write(tx, rows);
      const data = {
        firstLine: batch.rows.at(0)?.line,
        lastLine: batch.rows.at(-1)?.line,
        written: outcome.written,
        unchanged: outcome.unchanged,
        rejected: batch.errors.length + outcome.refusals.size,
      };
      await insertAudit(tx, auditRecord(request, `import.${target.kind}`, { data }));
      await stampProducts(tx, outcome.changedProductIds);
      return outcome;
    },
  );
  if (changedProductIds.length > 0) onCatalogueChanged();
  result.written += written;
  result.unchanged += unchanged;
  for (const [index, { line }] of batch.rows.entries()) {
    const message = refusals.get(index);
    if (message !== undefined) batch.errors.push({ line, message: `${message}.` });
  }
}

function emptyBatch<Row>(): Batch<Row> {
  return { rows: [], identities: new Set(), errors: [], sizeBytes: 0 };
}

function isFull({ rows, errors, sizeBytes }: Batch<unknown>): boolean {
  return rows.length + errors.length >= BATCH_LINE_COUNT_MAX || sizeBytes >= BATCH_SIZE_BYTES_MAX;
}

/** The rules and words of the request bodies, without a name for the whole. */
function buildParser<Line extends TSchema, Row>(schema: Line, toRow: (line: Static<Line>) => Row) {
  const check = compileCheck(schema, 'line');
  return (value: unknown): { row: Row } | { problem: string } => {
    const problems = check(value).map(({ message }) => message.replace(/^line\.|\.$/g, ''));
    return problems.length > 0 ? { problem: problems.join('; ') } : { row: toRow(value as Static<Line>) };
  };
}

function summarise({ outcomes, changedProductIds }: Written): WrittenBatch {
  const refusals = new Map<number, string>();
  let unchanged = 0;
  for (const [index, outcome] of outcomes.entries()) {
    if (typeof outcome !== 'string') refusals.set(index, `${outcome.field} ${outcome.message}`);
    else if (outcome === 'unchanged') unchanged += 1;
  }
  const written = outcomes.length - unchanged - refusals.size;
  return { written, unchanged, refusals, changedProductIds };
}

async function writeKeyLines(
  tx: Transaction<Schema>,
  stock: KeyStock,
  lines: readonly KeyLine[],
): Promise<WrittenBatch> {
  const codes = lines.map(newCode);
  const offerIds = [...new Set(codes.map(({ offerId }) => offerId))];
  const known = new Set((await listOfferOwners(tx, offerIds)).map(({ id }) => id));
  const { field, message } = unknownReference('offerId', 'offer');
  const refusals = new Map<number, string>();
  for (const [index, { offerId }] of codes.entries()) {
    if (!known.has(offerId)) refusals.set(index, `${field} ${message}`);
  }
  const stored = codes.filter(({ offerId }) => known.has(offerId));
  const { added, duplicates, changedProductIds } = await writeKeys(tx, stock, stored);
  return { written: added, unchanged: duplicates, refusals, changedProductIds };
}
