import { deepEqual, ok } from 'node:assert/strict';
import { type Connection, type FieldDef, Query, type ResultBuilder, types } from 'pg';
import { afterAll, test } from 'vitest';
import type { SessionClient } from '../src/db/engines/database.ts';
import { TYPES } from '../src/db/engines/value-types.ts';
import { sql } from '../src/db/sql.ts';
import { testDatabase } from './support/database.ts';
import { readStatements, type Statement } from './support/sql-statements.ts';
import { skipBecause } from './support/vitest.ts';

/** In these files, the text or a table of one statement is known only in a running service. */
const UNRESOLVED = [
  'catalogue/feed.sql.ts',
  'db/engines/database-state.sql.ts',
  'db/engines/session-settings.ts',
  'verify/check.sql.ts',
];

/** These columns may be null, but not in the rows that the statements of the file return. */
const NEVER_NULL: Readonly<Record<string, readonly string[]>> = {
  'custody/master-keys.sql.ts': ['installation.master_key_id'],
  'ledger/bookings.sql.ts': ['ledger_transfer.line', 'ledger_transfer.prepaid_balance_after_minor'],
  'ledger/statement.sql.ts': ['ledger_transfer.line', 'ledger_transfer.prepaid_balance_after_minor'],
  'orders/changes/order-updates.sql.ts': ['gateway_payment.response_status', 'gateway_payment.response_body'],
  'orders/history/order-lists.sql.ts': ['audit_entry.trace_id'],
  'orders/keys/order-keys.sql.ts': ['stock_key.number'],
  'orders/placement/idempotency-records.sql.ts': [
    'order.idempotency_key',
    'order.is_auto',
    'order.offer_id',
    'order.product_name',
    'order.seller_name',
    'order.unit_price_minor',
    'order.max_price_minor',
    'order.quantity_ordered',
    'ledger_account.account_id',
  ],
  'people/sessions/sessions.sql.ts': ['person_token.method', 'person_token.person_id'],
  'verify/schedule.sql.ts': [
    'verify_schedule.duration_ms',
    'verify_schedule.checked',
    'verify_schedule.broken',
    'verify_schedule.unchecked',
  ],
  'webhooks/delivery/queue.sql.ts': ['webhook_delivery.next_attempt_at'],
};

const { builtins } = types;
const VOID = 2278;

const { statements, close } = readStatements();
afterAll(close);

test('every statement is valid and returns the columns that its row type declares', async (t) => {
  const database = await testDatabase(t);
  const unresolved: string[] = [];
  const faults = await database.withOwnSession(async (client) => {
    const known = await readCatalogue(client);
    const found: string[] = [];
    for (const statement of statements) {
      try {
        const text = toText(await statement.evaluate());
        found.push(...compare(statement, text, await describe(client, text), known));
      } catch (error) {
        unresolved.push(`${statement.place}: ${error}`);
      }
    }
    return found;
  });
  deepEqual(faults, []);
  deepEqual(unresolved.map(toFile), UNRESOLVED, unresolved.join('\n'));
  ok(statements.length > 300);
});

test('no statement sorts a whole table to return the first rows', async (t) => {
  const database = await testDatabase(t);
  const { rows } = await sql<{ version: number }>`
    SELECT current_setting('server_version_num')::int / 10000 AS version`.execute(database.db);
  skipBecause(t, Number(rows[0]?.version) < 16 && 'EXPLAIN has no generic plans before version 16');
  const sorted = await database.withOwnSession(async (client) => {
    // A plan that still sorts found no index, perhaps because an output column hides the table's column.
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
    const found: string[] = [];
    for (const { place, evaluate } of statements) {
      if (UNRESOLVED.includes(toFile(place))) continue;
      const text = toText(await evaluate());
      if (!/^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(text)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
      );
      if (rows.some((row) => row['QUERY PLAN'].some(({ Plan }) => sortsWhole(Plan)))) found.push(place);
    }
    return found;
  });
  deepEqual(sorted, []);
});

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
};

function sortsWhole({ 'Node Type': type, Plans: below = [] }: PlanNode): boolean {
  const isWhole = (scan: PlanNode) =>
    /^(?:Seq|Index|Index Only) Scan$/.test(scan['Node Type']) &&
    scan['Index Cond'] === undefined &&
    scan.Filter === undefined;
  const sorts = type === 'Limit' ? below.filter((node) => node['Node Type'] === 'Sort') : [];
  return sorts.some(({ Plans = [] }) => Plans.some(isWhole)) || below.some(sortsWhole);
}

type Catalogue = Awaited<ReturnType<typeof readCatalogue>>;

async function readCatalogue(client: SessionClient) {
  const { rows: types } = await client.query<{ oid: number; name: string; element: number | null }>(
    `SELECT oid, typname AS name, CASE typcategory WHEN 'A' THEN typelem END AS element FROM pg_type`,
  );
  const { rows: columns } = await client.query<{ id: string; name: string; isNotNull: boolean }>(
    `SELECT attrelid || '/' || attnum AS id, relname || '.' || attname AS name, attnotnull AS "isNotNull"
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relkind IN ('r', 'p') AND attgenerated = '' AND relnamespace = 'public'::regnamespace`,
  );
  return {
    types: new Map(types.map((type) => [type.oid, type])),
    columns: new Map(columns.map((column) => [column.id, column])),
  };
}

function compare(
  { place, members, others }: Statement,
  text: string,
  fields: readonly FieldDef[],
  known: Catalogue,
): string[] {
  if (members === undefined) return [];
  const columns = fields.filter(({ dataTypeID }) => dataTypeID !== VOID);
  if (columns.length === 0 && members.size > 0) throw new Error('no columns');
  const names = new Set(columns.map(({ name }) => name));
  const missing = [...members.keys()].filter((name) => !names.has(name));
  const wrong = columns.flatMap(({ name, dataTypeID, tableID, columnID }) => {
    const member = members.get(name) ?? others;
    if (member === undefined) return [];
    const isJson = dataTypeID === builtins.JSON || dataTypeID === builtins.JSONB;
    if (!isJson && !member.declares(toSample(dataTypeID, known)))
      return `${name} is ${known.types.get(dataTypeID)?.name}, not ${member.text}`;
    const column = known.columns.get(`${tableID}/${columnID}`);
    if (column === undefined) return [];
    if (!member.isNullable && !column.isNotNull && !NEVER_NULL[toFile(place)]?.includes(column.name))
      return `${name} may be null: ${column.name}`;
    const isOptional = /\b(?:LEFT|RIGHT|FULL|UNION)\b/.test(text);
    return member.isNullable && column.isNotNull && !isOptional
      ? `${name} is never null: ${column.name}`
      : [];
  });
  return [...missing.map((name) => `${name} is missing`), ...wrong].map((fault) => `${place}: ${fault}`);
}

/** Returns a value as the service reads it from a row. */
function toSample(oid: number, known: Catalogue): unknown {
  return TYPES.getTypeParser(oid)(sampleText(oid, known));
}

function sampleText(oid: number, known: Catalogue): string {
  const element = known.types.get(oid)?.element ?? null;
  if (element !== null) return `{${sampleText(element, known).replaceAll('\\', '\\\\')}}`;
  return oid === builtins.BOOL ? 't' : oid === builtins.BYTEA ? '\\x00' : '1';
}

function toFile(place: string): string {
  return place.slice(0, place.indexOf(':'));
}

/** A string, an `Sql`, or a prepared statement. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  ok(typeof value === 'object' && value !== null && 'text' in value);
  return String(value.text);
}

function describe(client: SessionClient, text: string): Promise<FieldDef[]> {
  const { promise, resolve, reject } = Promise.withResolvers<FieldDef[]>();
  client.query(new Describe(text, (error, result) => (error ? reject(error) : resolve(result.fields))));
  return promise;
}

/** Gets the columns of a statement without running it. */
class Describe extends Query {
  readonly #text: string;

  constructor(text: string, callback: (error: Error | undefined, result: ResultBuilder) => void) {
    super(text, [], callback);
    this.#text = text;
  }

  override submit = (connection: Connection): void => {
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  };
}
