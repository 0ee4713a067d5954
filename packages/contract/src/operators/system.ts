/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */
import { type Static, Type } from 'typebox';
import { count, DateTime, namedObject, nullable, oneOf, strictObject, Uuid } from '../formats.ts';

export const VerifyQuery = Type.Object({
  only: Type.Optional(
    Type.String({
      pattern: '^I[1-9][0-9]{0,2}(,I[1-9][0-9]{0,2})*$',
      maxLength: 1000,
      'x-rule': 'must be numbers of invariants with commas between them, such as I12,I24',
      examples: ['I12,I24'],
    }),
  ),
});

const Count = Type.Integer({ minimum: 0 });

const Seconds = Type.Number({ minimum: 0 });

export const SystemInfo = namedObject('SystemInfo', {
  version: Type.String({ examples: ['0.3.0'] }),
  mode: oneOf(['sandbox', 'live'], 'Whether it sells in earnest.'),
  publicUrl: Type.String(),
  database: strictObject({
    kind: oneOf(['embedded', 'postgres'], 'embedded: in the process of the service.'),
    version: Type.String({ description: 'Of PostgreSQL.', examples: ['18.1'] }),
    migrations: Type.Array(Type.String(), { description: 'Those that were applied.' }),
  }),
  nodes: Type.Array(
    strictObject({ id: Uuid, version: Type.String(), startedAt: DateTime, seenAt: DateTime }),
    { description: 'Processes of the service that use this database, as far as they were seen within 35 s.' },
  ),
  settings: Type.Array(
    strictObject({
      name: Type.String({ examples: ['KEYPORT_KEYS_WINDOW_HOURS'] }),
      value: nullable(Type.String(), { description: 'What is in force; null: nothing, or a secret.' }),
      source: oneOf(['default', 'environment', 'file'], 'Where it is from; environment and file: it is set.'),
      isSecret: Type.Boolean(),
      description: Type.String(),
    }),
  ),
  lag: strictObject(
    {
      catalogueSeconds: nullable(Seconds),
      eventsSeconds: Seconds,
      webhooksSeconds: Seconds,
      auditSeconds: Seconds,
      archiveSeconds: nullable(Seconds),
    },
    {
      description:
        'Age of the oldest change that is not done yet, 0 without one: not in the catalogue in memory, not an event, without deliveries, not in the chain of the audit log; of the archive, since when it fails. Null: not known.',
    },
  ),
  masterKeys: strictObject({
    keys: Type.Array(
      strictObject({
        id: Type.String(),
        isInFile: Type.Boolean({ description: 'In the key file of the node that answers.' }),
        isCurrent: Type.Boolean({ description: 'New secrets are wrapped with it.' }),
        wrapped: count('Secrets under it.'),
        nodes: count('Nodes that hold it.'),
      }),
    ),
    unnamed: count('Secrets from before master keys had ids.'),
    runningNodes: Count,
  }),
  lastVerification: nullable(
    strictObject({
      finishedAt: DateTime,
      durationMs: count('At work, without the rests in between.'),
      checked: count('Rows looked at.'),
      invariants: Type.Array(
        strictObject({
          id: Type.String({ examples: ['I3'] }),
          title: Type.String(),
          broken: nullable(count('Broken rows.'), { description: 'Null: the check took too long.' }),
          brokenSince: nullable(DateTime),
        }),
      ),
      broken: Type.Array(Type.String(), { description: 'Numbers of broken invariants.' }),
      unchecked: Type.Array(Type.String(), { description: 'Those whose check took too long.' }),
    }),
    { description: 'The last periodic check; null: none yet, or none configured.' },
  ),
});

export type SystemInfo = Static<typeof SystemInfo>;

export const InvariantResult = namedObject('InvariantResult', {
  id: Type.String({ examples: ['I3'] }),
  title: Type.String(),
  checked: count('Rows looked at.'),
  broken: Type.Integer({ minimum: 0 }),
  examples: Type.Array(Type.String(), { description: 'The first broken rows.' }),
});
