/**
 * Steps the clock of a test's own database by replacing PostgreSQL's functions there, so defaults and
 * triggers follow. The process's own clocks do not change. Needs a superuser, as tests are.
 */
import { decodeJwt } from 'jose/jwt/decode';
import type { Database } from '../../src/db/engines/database.ts';
import { sql } from '../../src/db/sql.ts';
import type { Harness } from './harness.ts';
import { waitUntil } from './webhook-receiver.ts';

/** PostgreSQL's clock functions, each with the name of its C function. */
const CLOCKS = [
  ['clock_timestamp', 'clock_timestamp', 'VOLATILE'],
  ['statement_timestamp', 'statement_timestamp', 'STABLE'],
  ['transaction_timestamp', 'now', 'STABLE'],
  ['now', 'now', 'STABLE'],
] as const;

/** The offset from the real clock, such as `10 minutes`, `-400 seconds`, `0`. */
export async function setClock({ db }: Database, offset: string): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run('CREATE SCHEMA IF NOT EXISTS real');
  for (const [name, builtIn, volatility] of CLOCKS) {
    const declared = `() RETURNS timestamptz LANGUAGE`;
    await run(
      `CREATE OR REPLACE FUNCTION real.${name}${declared} internal ${volatility} STRICT AS '${builtIn}'`,
    );
    // A single expression, because the planner inlines it. Anything else would run the built-in function.
    await run(
      `CREATE OR REPLACE FUNCTION pg_catalog.${name}${declared} sql ${volatility}
        AS $$SELECT real.${name}() + interval '${offset}'$$`,
    );
  }
  // Cached plans contain the earlier clock; PostgreSQL drops them all when a schema changes.
  await run('CREATE SCHEMA stepped');
  await run('DROP SCHEMA stepped');
}

/** Makes the tokens of a service with its own database older. Returns when the service has read its database's clock. */
export async function passMinutes(h: Harness, minutes: number): Promise<void> {
  const { clientId, clientSecret } = await h.seed.reseller();
  await setClock(h.database, `${minutes} minutes`);
  const isRead = async () => {
    const { iat = 0 } = decodeJwt(await h.tokenFor(clientId, clientSecret));
    return iat > Date.now() / 1000 + (minutes - 1) * 60;
  };
  await waitUntil(isRead, 'a service that has read the clock');
}
