/**
 * Each batch of lines is a transaction: what is committed stays. Memory holds two batches. A8: the stamp
 * comes last. A130 (sending again), A132 (removals).
 */
import type { ImportKind, ImportResult } from '@keyport/contract/catalogue/imports';
import { OPERATIONS } from '@keyport/contract/operations';
import { type Permission, ROLE_PERMISSIONS, ROLES } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import { ApiError } from '@keyport/http/replies/api-error';
import { type Acting, audit, auditRecord } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { KeyStock } from '../listings/catalogue.ts';
import { hasPermission } from '../operations/permission.ts';
import { type Batch, gatherBatches, type LineProblem, prefetch } from './import-batches.ts';
import { type LineKind, type WrittenBatch, withLineKind } from './import-kinds.ts';
import { type Removal, removeMissing } from './import-missing.ts';
import { hasLostRole, type RunName } from './import-runs.sql.ts';
import { ImportRun } from './import-runs.ts';
import { type ImportLine, readLines } from './lines/lines.ts';
import { openMapping } from './lines/open-mapping.ts';
import { PriceTally } from './price-changes.ts';

export type ImportDeps = {
  readonly database: Database;
  readonly stock: KeyStock;
  readonly onCatalogueChanged: () => void;
  /** Called if the hold could not be released; the hold expires anyway. */
  readonly onError: (error: unknown) => void;
  readonly onImported?: ((lines: ImportedLines) => void) | undefined;
};

type ImportedLines = Pick<ImportResult, 'written' | 'unchanged' | 'rejected'> & {
  readonly kind: ImportKind;
};

export type ImportOptions = Omit<RunName, 'clientId'> & {
  readonly format: 'ndjson' | 'csv';
  /** The first line of the body is a mapping. */
  readonly hasMapping: boolean;
  /** Undefined allows only removals within the limits. */
  readonly confirmRemovals: number | undefined;
};

export type ImportRequest = Acting & {
  readonly onHangUp: (callback: () => void) => void;
  readonly stream: { readonly body: AsyncIterable<Buffer> } | undefined;
};

/** Throws errors of the body and the database, and conflict while another request works on the import. */
export async function importLines(
  deps: ImportDeps,
  request: ImportRequest,
  options: ImportOptions,
): Promise<ImportResult> {
  const { kind: name, hasMapping } = options;
  const body = must(request.stream, 'an import has a streamed body').body;
  const mapped = hasMapping ? await openMapping(deps.database, body, name) : undefined;
  const run = await ImportRun.open(deps.database, { ...options, clientId: request.principal.clientId });
  const progress = { line: 0, read: 0, written: 0, unchanged: 0, rejected: 0 };
  let isGone = false;
  request.onHangUp(() => {
    isGone = true;
  });
  const lines = mapped
    ? readLines(mapped.rest, { format: mapped.mapping.source.format, kind: name, mapping: mapped.mapping })
    : readLines(body, options);
  return withLineKind(name, deps.stock, (kind) =>
    runImport(
      { deps, request, options, kind, run, progress, isGone: () => isGone, prices: new PriceTally() },
      lines,
    ),
  );
}

type Progress = { line: number; read: number; written: number; unchanged: number; rejected: number };

type Work<Row> = {
  readonly deps: ImportDeps;
  readonly request: Acting;
  readonly options: ImportOptions;
  readonly kind: LineKind<Row>;
  readonly run: ImportRun;
  readonly progress: Progress;
  readonly isGone: () => boolean;
  readonly prices: PriceTally;
};

/** The contract states this number. */
const ERROR_COUNT_MAX = 1_000;

async function runImport<Row>(work: Work<Row>, lines: AsyncIterable<ImportLine>): Promise<ImportResult> {
  const { deps, request, options, run, progress } = work;
  const errors: LineProblem[] = [];
  let removal: Removal = { removed: 0 };
  let trimmed = 0;
  run.hold();
  try {
    for await (const batch of prefetch(gatherBatches(work.kind, lines))) {
      await requireSender(work);
      const rejected = await commitBatch(work, batch);
      trimmed += batch.trimmed;
      errors.push(...rejected.slice(0, ERROR_COUNT_MAX - errors.length));
    }
    if (options.deleteMissing) {
      const removalRefused = rejectRemoval(progress);
      if (removalRefused !== undefined) removal = { removed: run.before.removed, removalRefused };
      else {
        await requireSender(work);
        for await (removal of removeMissing({ ...deps, ...options, request, run })) await requireSender(work);
      }
    }
    await run.finish();
  } catch (error) {
    throw withLastLine(error, progress.line, options.dryRun);
  } finally {
    await run.release().catch(deps.onError);
  }
  const { kind, dryRun } = options;
  const { line: _line, ...counts } = progress;
  const hasPrices = kind === 'offers' || kind === 'prices';
  const prices = hasPrices ? { prices: await work.prices.result(deps.database.db) } : {};
  const codes = kind === 'keys' ? { trimmed } : {};
  return { ...counts, errors, dryRun, ...removal, ...prices, ...codes, runId: String(run.number) };
}

/** Returns the rejected lines. */
async function commitBatch<Row>(work: Work<Row>, batch: Batch<Row>): Promise<LineProblem[]> {
  const { progress } = work;
  const outcome = computeCount(batch) === 0 ? NOTHING : await write(work, batch);
  const { changedProductIds, changes } = outcome;
  work.prices.add(changes, (index) => must(batch.rows[index], 'a written row').line);
  if (changedProductIds.length > 0 && !work.options.dryRun) work.deps.onCatalogueChanged();
  const rejects = toRejects(batch, outcome.rejections);
  const { line, ...step } = toStep(batch, outcome);
  progress.line = Math.max(progress.line, line);
  progress.read += step.read;
  progress.written += step.written;
  progress.unchanged += step.unchanged;
  progress.rejected += step.rejected;
  work.run.noteKept(rejects.length);
  work.deps.onImported?.({ kind: work.options.kind, ...step });
  return rejects;
}

function computeCount<Row>({ rows, repeats, problems }: Batch<Row>): number {
  return rows.length + repeats.length + problems.length;
}

function toStep<Row>(batch: Batch<Row>, { written, rejections }: WrittenBatch): Progress {
  const read = computeCount(batch);
  const rejected = toRejects(batch, rejections).length;
  return { line: batch.lastLine, read, written, unchanged: read - written - rejected, rejected };
}

function toRejects<Row>(batch: Batch<Row>, rejections: WrittenBatch['rejections']): LineProblem[] {
  const refused = Array.from(rejections, ([index, message]): LineProblem => {
    return { line: must(batch.rows[index], 'a rejected row').line, message: `${message}.` };
  });
  const again = batch.repeats.flatMap(({ line, index }): LineProblem[] => {
    const message = rejections.get(index);
    return message === undefined ? [] : [{ line, message: `${message}.` }];
  });
  return [...batch.problems, ...refused, ...again].sort((one, other) => one.line - other.line);
}

const NOTHING: WrittenBatch = {
  written: 0,
  unchanged: 0,
  rejections: new Map(),
  changedProductIds: [],
  changes: [],
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
    return run.advance(tx, toStep(batch, outcome), outcome, toRejects(batch, outcome.rejections));
  };
  const outcome = await runTransaction(deps.database, { ...BY_INDEX, isRehearsal: dryRun }, async (tx) => {
    const saved = rows.length === 0 ? NOTHING : await kind.write(tx, rows, dryRun, run.number);
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

/**
 * Imports may take hours. Throws forbidden if the operator was disabled or may no longer import, and request-timeout
 * if the connection has ended.
 */
async function requireSender<Row>({ deps, request, isGone }: Work<Row>): Promise<void> {
  if (isGone()) {
    throw new ApiError('request-timeout', { message: 'The connection ended before the import did.' });
  }
  if (!(await hasLostRole(deps.database.db, request.principal.clientId, ROLES_THAT_MAY))) return;
  throw new ApiError('forbidden', {
    message: 'The operator who started this import was disabled or may no longer import.',
  });
}

function rejectRemoval({ rejected, read }: Progress): string | undefined {
  if (read === 0) return 'The import has no lines, so nothing was taken off sale.';
  if (rejected === 0) return undefined;
  return 'Lines were rejected, so nothing was taken off sale: offers or keys that they name would count as missing.';
}

function withLastLine(error: unknown, line: number, dryRun: boolean): unknown {
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
