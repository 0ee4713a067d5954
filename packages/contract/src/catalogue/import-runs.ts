/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */

import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { count, DateTime, namedObject, nullable, oneOf, reasonFor, strictObject } from '../formats.ts';
import { search, sortBy } from '../lists.ts';
import { IMPORT_KINDS, IMPORT_RUN_ID } from './imports.ts';

export const ImportRestoreBody = strictObject({ reason: reasonFor('audit log') });

export const ImportUndoBody = strictObject({
  reason: reasonFor('audit log'),
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'true: nothing happens; the response says what would.',
      'x-rule': 'must be true or false',
    }),
  ),
});

export const ImportUndone = namedObject('ImportUndone', {
  runId: Type.String(IMPORT_RUN_ID),
  changedBack: count('Offers that have the price and the status of before the import.'),
  paused: count('Offers that the import added, which are paused.'),
  withdrawn: count('Keys that the import added, which are withdrawn; their codes can be added again.'),
  restored: count('Offers and keys that the import had taken off sale, which are on sale again.'),
  kept: count('Offers and keys left alone: sold, changed or withdrawn since.'),
  dryRun: Type.Boolean({ description: 'True when nothing of this was done.' }),
});

export const ImportRestored = namedObject('ImportRestored', {
  runId: Type.String(IMPORT_RUN_ID),
  removed: count('Offers or keys that the import took off sale.'),
  restored: count('Of these: back on sale, by this request or an earlier one.'),
  kept: count('Of these: left alone, because they were changed since or a later import leaves them out too.'),
});

export const IMPORT_STATES = ['running', 'stopped', 'completed'] as const;

const RUN_ORDERS = ['-startedAt', 'startedAt'] as const;

export const ImportRunsQuery = Type.Object({
  query: search(
    'Words of the importId, the name of the file, the kind or the client id of who began it, or an id.',
  ),
  runId: Type.Optional(Type.String({ ...IMPORT_RUN_ID, 'x-rule': 'must be the runId of an import' })),
  importId: Type.Optional(Type.String({ maxLength: 100, description: 'Only runs of this import.' })),
  kind: Type.Optional(oneOf(IMPORT_KINDS, 'Only imports of this kind.')),
  state: Type.Optional(oneOf(IMPORT_STATES, 'Only runs in this state.')),
  dryRun: Type.Optional(oneOf(['true', 'false'], 'Only dry runs, or only others.')),
  sort: sortBy(RUN_ORDERS),
  ...CURSOR_QUERY,
});

/** Of a run; the first ones. */
export const KEPT_REJECTS_MAX = 10_000;

export const ImportRunRecord = namedObject('ImportRun', {
  id: Type.String(IMPORT_RUN_ID),
  importId: nullable(Type.String()),
  kind: oneOf(IMPORT_KINDS, 'What the lines are.'),
  dryRun: Type.Boolean(),
  deleteMissing: Type.Boolean(),
  state: oneOf(IMPORT_STATES, 'stopped: it broke off; the same importId continues it.'),
  startedAt: DateTime,
  endedAt: nullable(DateTime, { description: 'When it was completed or broke off.' }),
  clientId: Type.String({ description: 'Who began it.' }),
  name: Type.Optional(Type.String({ description: 'What the person or the client is called now.' })),
  fileName: nullable(Type.String(), { description: 'What its file is called, if the sender said.' }),
  line: count('Everything up to this line is done.'),
  read: count('Lines that were read.'),
  written: count('Of these: created or changed.'),
  unchanged: count('Of these: as they were.'),
  rejected: count('Of these: rejected.'),
  rejectsKept: count(`Rejected lines that can be listed: the first ${KEPT_REJECTS_MAX}, for 30 days.`),
  removed: count('With deleteMissing: taken off sale.'),
  restored: count('Of these: put back.'),
  canUndo: Type.Boolean({
    description: 'It added or changed something that is kept for 30 days and was not undone.',
  }),
  undoneAt: nullable(DateTime),
});

export type ImportRunRecord = Static<typeof ImportRunRecord>;

export const ImportRejectsQuery = Type.Object(CURSOR_QUERY);

export const ImportRejectsHeaders = Type.Object({ accept: Type.Optional(Type.String()) });

export const ImportReject = namedObject('ImportReject', {
  line: Type.Integer({ minimum: 1, description: 'From 1; the header row of CSV counts.' }),
  message: Type.String(),
});
