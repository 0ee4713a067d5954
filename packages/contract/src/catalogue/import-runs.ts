import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { count, DateTime, namedObject, nullable, oneOf, reasonFor, strictObject } from '../formats.ts';
import { flag, search, sortBy } from '../lists.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { IMPORT_KINDS, IMPORT_RUN_ID, ImportRunId, RejectedLine } from './imports.ts';

export const IMPORT_STATES = ['running', 'stopped', 'completed'] as const;

export const ImportRunsQuery = Type.Object({
  query: search(
    'Words of the importId, the file name, the kind or the client id of the operator who started it, or an id.',
  ),
  runId: Type.Optional(ImportRunId),
  importId: Type.Optional(Type.String({ maxLength: 100, description: 'Only runs of this import.' })),
  kind: Type.Optional(oneOf(IMPORT_KINDS, 'Only imports of this kind.')),
  state: Type.Optional(oneOf(IMPORT_STATES, 'Only runs in this state.')),
  dryRun: flag('true: only dry runs; false: no dry runs.'),
  sort: sortBy(['-startedAt', 'startedAt']),
  ...CURSOR_QUERY,
});

/** The first ones of each run. */
export const KEPT_REJECTS_MAX = 10_000;
export const ImportRunRecord = namedObject('ImportRun', {
  id: Type.String(IMPORT_RUN_ID),
  importId: nullable(Type.String()),
  kind: oneOf(IMPORT_KINDS, 'What the lines are.'),
  dryRun: Type.Boolean(),
  deleteMissing: Type.Boolean(),
  state: oneOf(IMPORT_STATES, 'stopped: it was interrupted; the same importId continues it.'),
  startedAt: DateTime,
  endedAt: nullable(DateTime, { description: 'When it was completed or interrupted.' }),
  clientId: Type.String({ description: 'The operator or client that started it.' }),
  name: Type.Optional(Type.String({ description: 'The current name of the operator or client.' })),
  fileName: nullable(Type.String(), { description: 'The name of the file, if the sender named it.' }),
  line: count('Everything up to this line is done.'),
  read: count('Lines that were read.'),
  written: count('The lines read that created or changed something.'),
  unchanged: count('The lines read that changed nothing.'),
  rejected: count('The lines read that were rejected.'),
  rejectsKept: count(`Rejected lines that can be listed: the first ${KEPT_REJECTS_MAX}, for 30 days.`),
  removed: count('With deleteMissing: taken off sale.'),
  restored: count('Removals that were restored.'),
  canUndo: Type.Boolean({
    description: 'It added or changed something, less than 30 days ago, that was not undone.',
  }),
  undoneAt: nullable(DateTime),
});
export type ImportRunRecord = Static<typeof ImportRunRecord>;

export const ImportRejectsQuery = Type.Object(CURSOR_QUERY);
export const ImportReject = namedObject('ImportReject', RejectedLine.properties);

export const ImportRestoreBody = strictObject({ reason: reasonFor('audit log') });
export const ImportRestored = namedObject('ImportRestored', {
  runId: Type.String(IMPORT_RUN_ID),
  removed: count('Offers or keys that the import took off sale.'),
  restored: count('Those that are back on sale, by this request or an earlier one.'),
  kept: count('Those left unchanged: changed since, or missing in a later import too.'),
});

export const ImportUndoBody = strictObject({
  reason: reasonFor('audit log'),
  dryRun: Type.Optional({ ...DRY_RUN.dryRun, 'x-rule': 'must be true or false' }),
});
export const ImportUndone = namedObject('ImportUndone', {
  runId: Type.String(IMPORT_RUN_ID),
  changedBack: count('Offers that have their earlier price and status again.'),
  paused: count('Offers added by the import that are now paused.'),
  withdrawn: count('Keys added by the import that are now withdrawn; their codes can be added again.'),
  restored: count('Offers and keys that the import took off sale and that are on sale again.'),
  kept: count('Offers and keys left unchanged: sold, changed or withdrawn since.'),
  dryRun: Type.Boolean({ description: 'True when nothing was changed.' }),
});
