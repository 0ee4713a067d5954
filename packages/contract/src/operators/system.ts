import { type Static, Type } from 'typebox';
import { DateTime, Uuid } from '../formats.ts';
import { count, namedObject, nullable, oneOf, strictObject, toQuery } from '../schema.ts';

export const VerifyQuery = toQuery({
  only: Type.String({
    pattern: '^I[1-9][0-9]{0,2}(,I[1-9][0-9]{0,2})*$',
    maxLength: 1000,
    'x-rule': 'must be invariant ids separated by commas, such as I3,I22',
    examples: ['I3,I22'],
  }),
});

const Count = Type.Integer({ minimum: 0 });
const Seconds = Type.Number({ minimum: 0 });

export const SystemInfo = namedObject('SystemInfo', {
  version: Type.String({ examples: ['0.3.0'] }),
  mode: oneOf(['sandbox', 'live'], 'sandbox: a rehearsal; live: real sales.'),
  publicUrl: Type.String(),
  database: strictObject({
    kind: oneOf(
      ['embedded', 'postgres'],
      'embedded: inside the process of the service; postgres: a PostgreSQL server.',
    ),
    version: Type.String({ description: 'The version of PostgreSQL.', examples: ['18.1'] }),
    migrations: Type.Array(Type.String(), { description: 'The applied migrations.' }),
  }),
  nodes: Type.Array(
    strictObject({ id: Uuid, version: Type.String(), startedAt: DateTime, seenAt: DateTime }),
    { description: 'Processes of the service that used this database in the last 35 s.' },
  ),
  settings: Type.Array(
    strictObject({
      name: Type.String({ examples: ['KEYPORT_KEYS_WINDOW_HOURS'] }),
      value: nullable(Type.String(), { description: 'The current value; null: none, or a secret.' }),
      source: oneOf(['default', 'environment', 'file'], 'Where the value comes from.'),
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
        'The age of the oldest change that is not yet in the in-memory catalogue, has no event yet, has no deliveries yet, or is not yet in the audit chain; 0: none. For the archive: how long it has been failing. Null: unknown.',
    },
  ),
  masterKeys: strictObject({
    keys: Type.Array(
      strictObject({
        id: Type.String(),
        isInFile: Type.Boolean({ description: 'Whether the key is in the key file of the responding node.' }),
        isCurrent: Type.Boolean({ description: 'Whether new secrets are wrapped with it.' }),
        wrapped: count('Secrets wrapped with it.'),
        nodes: count('Nodes that hold it.'),
      }),
    ),
    unnamed: count('Secrets wrapped before master keys had ids.'),
    runningNodes: Count,
  }),
  lastVerification: nullable(
    strictObject({
      finishedAt: DateTime,
      durationMs: count('Working time in milliseconds, without pauses.'),
      checked: count('Rows checked.'),
      invariants: Type.Array(
        strictObject({
          id: Type.String({ examples: ['I3'] }),
          title: Type.String(),
          broken: nullable(count('Rows that violate it.'), { description: 'Null: the check took too long.' }),
          brokenSince: nullable(DateTime),
        }),
      ),
      broken: Type.Array(Type.String(), { description: 'Ids of the violated invariants.' }),
      unchecked: Type.Array(Type.String(), { description: 'Invariants whose check took too long.' }),
    }),
    { description: 'The last periodic check; null: none yet, or not configured.' },
  ),
});
export type SystemInfo = Static<typeof SystemInfo>;

export const InvariantResult = namedObject('InvariantResult', {
  id: Type.String({ examples: ['I3'] }),
  title: Type.String(),
  checked: count('Rows checked.'),
  broken: Type.Integer({ minimum: 0 }),
  examples: Type.Array(Type.String(), { description: 'The first rows that violate it.' }),
});
