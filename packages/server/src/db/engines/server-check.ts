/** Live mode rejects settings that could lose acknowledged orders; the sandbox logs warnings (A165). */
import { must } from '@keyport/core/assert';
import type { Mode } from '../../config.ts';
import { CONNECTIONS_PER_NODE, type Database } from './database.ts';
import { TRANSACTION_IDS_MAX, TRANSACTION_IDS_USED } from './database-state.sql.ts';
import { type Difference, isPooled, missingSettings, UnfitServerError } from './session-settings.ts';

const VERSION_MIN = 15;

const DANGERS = {
  fsync: ['off', 'a power cut destroys the database', 'on'],
  full_page_writes: ['off', 'a power cut can leave pages half written', 'on'],
  synchronous_commit: ['off', 'a crash loses orders that were acknowledged', 'on'],
  data_sync_retry: ['on', 'data that the disk failed to write counts as written', 'off'],
  ignore_invalid_pages: ['on', 'a recovery skips pages that it cannot read', 'off'],
} as const;

type Settings = Readonly<Record<string, string>> & {
  readonly synchronous_commit: string;
  readonly synchronous_standby_names: string;
  readonly transaction_read_only: string;
};

export type ServerFacts = {
  readonly versionNumber: number;
  readonly encoding: string;
  readonly isInRecovery: boolean;
  readonly settings: Settings;
  readonly transactionIdsUsed: number;
  readonly connectionLimits: readonly {
    readonly name: string;
    readonly limit: number;
    readonly remedy: string;
  }[];
  readonly role: string;
  readonly isSuperuser: boolean;
};

export type ServerVerdict = { readonly errors: readonly string[]; readonly warnings: readonly string[] };

/** Throws UnfitServerError: in the sandbox only if orders could not be placed correctly. */
export async function checkServer(
  database: Database,
  { mode, warn }: { readonly mode: Mode; readonly warn: (warning: string) => void },
): Promise<void> {
  if (database.kind === 'embedded') return;
  const missing = await missingBehindPooler(database);
  if (missing !== undefined && !database.hasDirectUrl) throw new UnfitServerError([IS_POOLER]);
  const facts = await readServerFacts(database);
  const server = judgeServer(missing === undefined ? facts : { ...facts, connectionLimits: [] });
  const between = missing === undefined ? [] : judgePooler(missing, facts.role);
  const isUnusable =
    between.length > 0 ||
    facts.settings.transaction_read_only === 'on' ||
    facts.transactionIdsUsed >= TRANSACTION_IDS_MAX;
  if (mode === 'live' || isUnusable) {
    const errors = [...server.errors, ...between];
    if (errors.length > 0) throw new UnfitServerError(errors);
  }
  for (const warning of [...server.errors, ...server.warnings]) warn(warning);
}

/** Each sentence names the setting and the remedy. */
export function judgeServer(facts: ServerFacts): ServerVerdict {
  return { errors: chooseReasons(findErrors(facts)), warnings: chooseReasons(findWarnings(facts)) };
}

type Reason = readonly [isCase: boolean, sentence: string];

function chooseReasons(reasons: readonly Reason[]): string[] {
  return reasons.filter(([isCase]) => isCase).map(([, sentence]) => sentence);
}

function findErrors(facts: ServerFacts): Reason[] {
  const { encoding, isInRecovery, settings } = facts;
  const version = Math.floor(facts.versionNumber / 10_000);
  return [
    [version < VERSION_MIN, tooOld(version)],
    [
      encoding !== 'UTF8',
      `The database's encoding is ${encoding}: create a new database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    ],
    [
      isInRecovery,
      'The server is a standby and accepts no writes (pg_is_in_recovery): set KEYPORT_DATABASE_URL to the primary, or to a proxy that finds it.',
    ],
    [
      !isInRecovery && settings.transaction_read_only === 'on',
      'Transactions are read-only: set default_transaction_read_only = off for the server, the database and the role.',
    ],
    ...Object.entries(DANGERS).map(
      ([name, [value, danger, remedy]]): Reason => [
        settings[name] === value,
        `${name} is ${value}, so ${danger}: set ${name} = ${remedy} for the server, the database and the role.`,
      ],
    ),
    [
      facts.transactionIdsUsed >= TRANSACTION_IDS_MAX,
      `The server accepts no writes, because its transaction ids are used up: ${VACUUM}`,
    ],
    ...facts.connectionLimits.map(
      ({ name, limit, remedy }): Reason => [
        limit < CONNECTIONS_PER_NODE,
        `${name} allows ${limit} connections, and a node needs ${CONNECTIONS_PER_NODE}: ${remedy}.`,
      ],
    ),
  ];
}

function findWarnings({ settings, role, isSuperuser }: ServerFacts): Reason[] {
  const { synchronous_commit: commit, synchronous_standby_names: standbys } = settings;
  return [
    [
      standbys !== '' && ['local', 'remote_write'].includes(commit),
      `synchronous_commit is ${commit}, so a fail-over can lose acknowledged orders, despite the synchronous standbys: set synchronous_commit = on.`,
    ],
    [
      isSuperuser,
      `The role ${role} is a superuser, so missing privileges do not keep it from changing the books: use a role that only owns its database (docs/install.md).`,
    ],
  ];
}

function tooOld(version: number): string {
  return `The server has version ${version}: use PostgreSQL ${VERSION_MIN} or later.`;
}

const VACUUM =
  'end the transactions and slots that hold an old snapshot (see pg_prepared_xacts, pg_replication_slots and the ' +
  'oldest sessions of pg_stat_activity), then run VACUUM (TRUNCATE false) as a superuser in every database (vacuumdb --all --no-truncate).';

const IS_POOLER =
  'KEYPORT_DATABASE_URL points to a pooler, which forwards no notifications and may lose prepared statements: set ' +
  'KEYPORT_DATABASE_DIRECT_URL to the database behind it.';

/** Undefined without a pooler, behind which a transaction may get a session without earlier settings. */
async function missingBehindPooler(database: Database): Promise<readonly Difference[] | undefined> {
  const client = await database.connect();
  try {
    return isPooled(client) ? await missingSettings(client) : undefined;
  } finally {
    client.release();
  }
}

function judgePooler(missing: readonly Difference[], role: string): readonly string[] {
  const commands = missing.map(({ name, value }) => `ALTER ROLE ${role} SET ${name} = '${value}';`);
  if (commands.length === 0) return [];
  return [
    `Behind a pooler, the role itself must have the session settings. Run these commands, then restart the pooler: ${commands.join(' ')}`,
  ];
}

async function readServerFacts(database: Database): Promise<ServerFacts> {
  const client = await database.connect();
  try {
    // The query for the facts needs version 15.
    const { rows: versions } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version`,
    );
    for (const { version } of versions)
      if (version < VERSION_MIN) throw new UnfitServerError([tooOld(version)]);
    const { rows } = await client.query<Omit<ServerFacts, 'connectionLimits'> & Limits>(FACTS, [SETTINGS]);
    const facts = must(rows[0], 'one row');
    return { ...facts, connectionLimits: toLimits(facts) };
  } finally {
    client.release();
  }
}

const SETTINGS = [...Object.keys(DANGERS), 'synchronous_standby_names', 'transaction_read_only'];

type Limits = {
  readonly role: string;
  readonly serverLimit: number;
  /** -1: no limit, here and below. */
  readonly databaseLimit: number;
  readonly roleLimit: number;
};

// reserved_connections was added in version 16.
const FACTS = `SELECT current_setting('server_version_num')::int AS "versionNumber",
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isInRecovery",
    (SELECT json_object_agg(name, setting) FROM pg_settings WHERE name = ANY ($1)) AS settings,
    (SELECT max(used) FROM (${TRANSACTION_IDS_USED}) AS ids) AS "transactionIdsUsed",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int AS "serverLimit",
    datconnlimit AS "databaseLimit", rolconnlimit AS "roleLimit", rolname AS role, rolsuper AS "isSuperuser"
  FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`;

function toLimits({ role, serverLimit, databaseLimit, roleLimit }: Limits) {
  const limits: readonly (readonly [name: string, limit: number, remedy: string])[] = [
    ['The server', serverLimit, 'raise max_connections'],
    ['The database', databaseLimit, 'raise its limit with ALTER DATABASE … CONNECTION LIMIT'],
    [`The role ${role}`, roleLimit, 'raise its limit with ALTER ROLE … CONNECTION LIMIT'],
  ];
  return limits.map(([name, limit, remedy]) => ({ name, limit, remedy })).filter(({ limit }) => limit >= 0);
}
