/**
 * Each batch of lines is a transaction: what is committed stays. Memory holds two batches. A8: the stamp
 * comes last. A130 (continuing), A131 (dry run), A132 and A270 (removals).
 */
import type { ImportEvent, ImportKind, ImportProgress } from '@keyport/contract/catalogue/imports';
import { OPERATIONS } from '@keyport/contract/operations';
import { type Permission, ROLE_PERMISSIONS, ROLES } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import { HeaderError, type ImportLine, readLines } from '@keyport/import/lines';
import { type Acting, audit, auditRecord } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { KeyStock } from '../listings/catalogue.ts';
import { hasPermission } from '../operations/permission.ts';
import { type Batch, gatherBatches, type LineProblem, prefetch } from './import-batches.ts';
import { type LineKind, type WrittenBatch, withLineKind } from './import-kinds.ts';
import { type Removal, type RemovalLimits, removeMissing } from './import-missing.ts';
import { hasLostRole, type RunName } from './import-runs.sql.ts';
import { ImportRun } from './import-runs.ts';
import { PriceTally } from './price-changes.ts';

export type ImportDeps = {
  readonly database: Database;
  readonly stock: KeyStock;
  readonly onCatalogueChanged: () => void;
  /** Called if the hold could not be released; the hold expires anyway. */
  readonly onError: (error: unknown) => void;
  readonly onImported?: ((lines: ImportedLines) => void) | undefined;
  readonly removalLimits: RemovalLimits;
};

type ImportedLines = Pick<ImportProgress, 'written' | 'unchanged' | 'rejected'> & {
  readonly kind: ImportKind;
};

export type ImportOptions = Omit<RunName, 'clientId'> & {
  readonly format: 'ndjson' | 'csv';
  /** Undefined allows only removals within the limits. */
  readonly confirmRemovals: number | undefined;
};

/**
 * The last event is the result. Iterating throws errors of the stream and the database. Throws conflict
 * while another request works on the import.
 */
export async function startImport(
  deps: ImportDeps,
  request: Acting,
  options: ImportOptions,
  chunks: AsyncIterable<Buffer>,
): Promise<AsyncGenerator<ImportEvent[]>> {
  const { clientId } = request.principal;
  const run = await ImportRun.open(deps.database, { ...options, clientId });
  const lines = readLines(chunks, options, run.before.committedLine);
  return withLineKind(options.kind, deps.stock, (kind) =>
    runImport({ deps, request, options, kind, run, prices: new PriceTally() }, lines),
  );
}

type Work<Row> = {
  readonly deps: ImportDeps;
  readonly request: Acting;
  readonly options: ImportOptions;
  readonly kind: LineKind<Row>;
  readonly run: ImportRun;
  readonly prices: PriceTally;
};

/** The contract states this number. */
const ERROR_COUNT_MAX = 1_000;

async function* runImport<Row>(
  work: Work<Row>,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<ImportEvent[]> {
  const { deps, request, options, run } = work;
  const progress = {
    line: run.before.committedLine,
    read: 0,
    written: 0,
    unchanged: 0,
    rejected: 0,
    skipped: 0,
    rejectedBefore: run.before.rejected,
  };
  const errors: LineProblem[] = [];
  let removal: Removal = { removed: 0 };
  let trimmed = 0;
  run.hold();
  try {
    // The sender may drop earlier lines.
    if (progress.line > 0) yield [{ committed: { ...progress } }];
    for await (const batch of prefetch(gatherBatches(work.kind, lines))) {
      progress.skipped += batch.skipped;
      progress.read += batch.skipped;
      requireSameLines(run, progress.skipped);
      await requireRole(work);
      const rejected = await commitBatch(work, batch, progress);
      trimmed += batch.trimmed;
      errors.push(...rejected.slice(0, ERROR_COUNT_MAX - errors.length));
      yield [...rejected.map((problem) => ({ rejected: problem })), { committed: { ...progress } }];
    }
    if (options.deleteMissing) {
      const removalRefused = rejectRemoval(run, progress);
      if (removalRefused !== undefined) removal = { removed: run.before.removed, removalRefused };
      else {
        await requireRole(work);
        for await (removal of removeMissing({ ...deps, ...options, request, run })) {
          await requireRole(work);
          // Shows the sender progress.
          yield [{ committed: { ...progress } }];
        }
      }
    }
    await run.finish();
  } catch (error) {
    throw withLastLine(error, progress.line, options.dryRun);
  } finally {
    await run.release().catch(deps.onError);
  }
  // The result comes last, because its receiver may start the next import with this id.
  const { kind, dryRun } = options;
  const { line: _line, ...counts } = progress;
  const runId = String(run.number);
  const hasPrices = kind === 'offers' || kind === 'prices';
  const prices = hasPrices ? { prices: await work.prices.result(deps.database.kysely) } : {};
  const codes = kind === 'keys' ? { trimmed } : {};
  yield [{ result: { ...counts, errors, dryRun, ...removal, ...prices, ...codes, runId } }];
}

/** Returns the rejected lines. */
async function commitBatch<Row>(
  work: Work<Row>,
  batch: Batch<Row>,
  progress: ImportProgress,
): Promise<LineProblem[]> {
  const read = batch.rows.length + batch.problems.length;
  const { written, unchanged, rejections, changedProductIds, changes } =
    read === 0 ? NOTHING : await write(work, batch);
  work.prices.add(changes, (index) => must(batch.rows[index], 'a written row').line);
  if (changedProductIds.length > 0 && !work.options.dryRun) work.deps.onCatalogueChanged();
  const rejects = rejectsOf(batch, rejections);
  const rejected = rejects.length;
  progress.line = Math.max(progress.line, batch.lastLine);
  progress.read += read;
  progress.written += written;
  progress.unchanged += unchanged;
  progress.rejected += rejected;
  work.run.noteKept(rejected);
  work.deps.onImported?.({ kind: work.options.kind, written, unchanged, rejected });
  return rejects;
}

function rejectsOf<Row>(batch: Batch<Row>, rejections: WrittenBatch['rejections']): LineProblem[] {
  const refused = Array.from(rejections, ([index, message]): LineProblem => {
    return { line: must(batch.rows[index], 'a rejected row').line, message: `${message}.` };
  });
  return [...batch.problems, ...refused].sort((one, other) => one.line - other.line);
}

const NOTHING: WrittenBatch = {
  written: 0,
  unchanged: 0,
  rejections: new Map(),
  changedProductIds: [],
  changes: [],
  unitIds: [],
  seen: [],
};

/** Reading a whole table costs more than all lookups of a small batch. */
const BY_INDEX = { keepsPlans: true };

async function write<Row>(work: Work<Row>, batch: Batch<Row>): Promise<WrittenBatch> {
  const { deps, request, options, kind, run } = work;
  const { importId, fileName, dryRun } = options;
  const rows = batch.rows.map(({ row }) => row);
  // An audit entry never changes, so the counts are in the run instead.
  const data = { runId: String(run.number), importId, fileName };
  const entry = auditRecord(request, `import.${kind.kind}`, { data });
  const record = (tx: Tx, outcome: WrittenBatch) => {
    const { written, unchanged, rejections } = outcome;
    const read = batch.rows.length + batch.problems.length;
    const rejected = batch.problems.length + rejections.size;
    const step = { line: batch.lastLine, read, written, unchanged, rejected };
    return run.advance(tx, step, outcome, rejectsOf(batch, rejections));
  };
  const outcome = await runTransaction(deps.database, { ...BY_INDEX, isRehearsal: dryRun }, async (tx) => {
    const saved = rows.length === 0 ? NOTHING : await kind.write(tx, rows, dryRun);
    if (dryRun) return saved;
    await record(tx, saved);
    if (rows.length > 0) await run.audit(tx, entry);
    await logChanges(tx, { productIds: saved.changedProductIds });
    return saved;
  });
  if (!dryRun) {
    if (rows.length > 0) run.noteAudited(entry);
    return outcome;
  }
  const shown = kind.kind === 'keys' ? withoutHeldCodes(request, outcome) : outcome;
  await runTransaction(deps.database, {}, async (tx) => {
    await record(tx, shown);
    if (shown === outcome && kind.kind === 'keys' && rows.length > 0) {
      const codes = { dryRun, ...data, given: rows.length, found: outcome.unchanged };
      await audit(tx, request, 'keys.find', { data: codes });
    }
  });
  return shown;
}

/** Only operators who may find keys see which codes the service holds; others see all codes as new. */
function withoutHeldCodes({ principal: { operatorRole } }: Acting, outcome: WrittenBatch): WrittenBatch {
  if (operatorRole !== undefined && hasPermission(operatorRole, OPERATIONS.findKey.permission))
    return outcome;
  return { ...outcome, written: outcome.written + outcome.unchanged, unchanged: 0 };
}

const { permission: PERMISSION } = OPERATIONS.importLines;
const ROLES_THAT_MAY = ROLES.filter((role) => {
  const permissions: readonly Permission[] = ROLE_PERMISSIONS[role];
  return permissions.includes(PERMISSION);
});

/** Imports may take hours. Throws forbidden if the operator was disabled or may no longer import. */
async function requireRole<Row>({ deps, request }: Work<Row>): Promise<void> {
  if (!(await hasLostRole(deps.database.kysely, request.principal.clientId, ROLES_THAT_MAY))) return;
  throw new ApiError('forbidden', {
    message: 'The operator who started this import was disabled or may no longer import.',
  });
}

/** Skipping the lines of a different file would lose them. */
function requireSameLines(run: ImportRun, skipped: number): void {
  const done = run.before.read;
  if (skipped === done) return;
  throw new ApiError('conflict', {
    message: `The import with this importId processed ${done} lines up to line ${run.before.committedLine}, but this body has ${skipped} up to that line: it is a different file. Use a different importId.`,
  });
}

function rejectRemoval(run: ImportRun, { rejected, read }: ImportProgress): string | undefined {
  if (read === 0) return 'The import has no lines, so nothing was taken off sale.';
  if (rejected + run.before.rejected === 0) return undefined;
  return 'Lines were rejected, so nothing was taken off sale: offers or keys that they name would count as missing.';
}

function withLastLine(thrown: unknown, line: number, dryRun: boolean): unknown {
  const error = thrown instanceof HeaderError ? invalidField('body', thrown.message) : thrown;
  if (!(error instanceof ApiError) || line === 0) return error;
  const { code, message, data, errors, headers } = error;
  return new ApiError(code, {
    message: `${message} Everything up to line ${line} was ${dryRun ? 'checked' : 'kept'}.`,
    headers,
    cause: error,
    ...(data === undefined ? {} : { data: { ...data } }),
    ...(errors === undefined ? {} : { errors }),
  });
}
