/** Rejects a session without these settings, because it would place orders under different rules. */
import type { ClientBase } from 'pg';

/** Written as PostgreSQL returns them. */
export const SESSION_SETTINGS = {
  // The driver's parsers and our casts accept only one format.
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  search_path: 'public',
  restrict_nonsystem_relation_kind: '',
  default_table_access_method: 'heap',
  default_transaction_isolation: 'read committed',
  // Only a warning shows that the wait for a synchronous standby was canceled.
  client_min_messages: 'notice',
  // An error must end only its statement, and an idle session must stay open.
  exit_on_error: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  // `runTransaction` can set tighter limits.
  statement_timeout: '30s',
  lock_timeout: '5s',
  // After a wrong estimate, JIT compilation adds half a second to a one-millisecond statement.
  jit: 'off',
} as const;

const GUARDED_SETTINGS: Readonly<Record<string, { readonly value: string; readonly danger: string }>> = {
  session_replication_role: {
    value: 'origin',
    danger: 'triggers and foreign keys that the books and the audit log need do not work',
  },
  zero_damaged_pages: {
    value: 'off',
    danger: 'the server discards the rows of a damaged page',
  },
  ignore_checksum_failure: { value: 'off', danger: 'the server returns damaged data' },
};

// The server releases the locks of a vanished process within 15 s. The embedded engine does not use
// these settings, because its session would end when the event loop is late.
const NETWORK_SETTINGS = {
  idle_in_transaction_session_timeout: '10s',
  client_connection_check_interval: '2s',
  tcp_user_timeout: '10s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
} as const;

const CONNECTION_SETTING = /^tcp_|^client_connection/;
const LINUX_ONLY = 'client_connection_check_interval';

export class UnfitServerError extends Error {
  override readonly name = 'UnfitServerError';
  constructor(errors: readonly string[]) {
    super(`The PostgreSQL server is not suitable:\n${errors.map((error) => `  ${error}`).join('\n')}`);
  }
}

const REQUIRED: Readonly<Record<string, string>> = {
  ...SESSION_SETTINGS,
  ...Object.fromEntries(Object.entries(GUARDED_SETTINGS).map(([name, { value }]) => [name, value])),
};

export type Difference = { readonly name: string; readonly value: string; readonly actual: string };

/** Leaves a pooler's session unchanged, since other users would get the settings. Throws UnfitServerError. */
export async function applySettings(client: ClientBase): Promise<void> {
  const isOurs = `pg_backend_pid() = ${toProcessId(client)}`;
  const { rows } = await client.query<{ count: number }>(
    `${setAll({ ...REQUIRED, ...NETWORK_SETTINGS })}
      AND ${isOurs} AND (name <> '${LINUX_ONLY}' OR version() ~ 'linux')`,
  );
  if (rows[0]?.count === 0) pooled.add(client);
  else await requireAll(client);
}

export async function applyEmbeddedSettings(client: ClientBase): Promise<void> {
  await client.query(setAll(REQUIRED));
  await requireAll(client);
}

const pooled = new WeakSet<object>();

/** A pooler's process id differs from the server's. */
export function isPooled(client: object): boolean {
  return pooled.has(client);
}

export function toProcessId(client: ClientBase): number {
  return Number(Reflect.get(client, 'processID'));
}

export function missingSettings(client: Queryable): Promise<Difference[]> {
  const wanted = Object.entries({ ...REQUIRED, ...NETWORK_SETTINGS });
  return differencesFrom(
    client,
    wanted.filter(([name]) => !CONNECTION_SETTING.test(name)),
  );
}

type Queryable = Pick<ClientBase, 'query'>;

async function requireAll(client: Queryable): Promise<void> {
  const differences = await differencesFrom(client, Object.entries(REQUIRED));
  if (differences.length > 0) throw new UnfitServerError(differences.map(describeDifference));
}

/** Ignores settings that the server's version lacks. */
async function differencesFrom(
  client: Queryable,
  wanted: readonly (readonly [string, string])[],
): Promise<Difference[]> {
  const { rows } = await client.query<Difference>(
    `SELECT name, value, current_setting(name, true) AS actual
      FROM unnest($1::text[], $2::text[]) AS wanted (name, value) WHERE current_setting(name, true) <> value`,
    [wanted.map(([name]) => name), wanted.map(([, value]) => value)],
  );
  return rows;
}

/** The caller can append an AND. Skips settings that the server lacks or this role may not set. */
function setAll(settings: Readonly<Record<string, string>>): string {
  const rows = Object.entries(settings).map(
    ([name, value]) => `('${name}', '${value}', ${name in GUARDED_SETTINGS})`,
  );
  return `SELECT count(set_config(name, value, false))::int AS count
    FROM (VALUES ${rows.join(', ')}) AS setting (name, value, is_guarded)
    WHERE current_setting(name, true) IS NOT NULL AND (NOT is_guarded OR current_setting('is_superuser') = 'on')`;
}

function describeDifference({ name, value, actual }: Difference): string {
  const danger = GUARDED_SETTINGS[name]?.danger;
  const fact = danger === undefined ? `${name} is '${actual}'` : `${name} is '${actual}', so ${danger}`;
  return `${fact}: set it to '${value}' for the server, the database and the role.`;
}
