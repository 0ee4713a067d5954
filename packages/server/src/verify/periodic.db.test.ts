import { deepEqual, equal, ok } from 'node:assert/strict';
import { pino } from 'pino';
import { test } from 'vitest';
import { type Owner, testDatabase } from '../../test/support/database.ts';
import { sql } from '../db/sql.ts';
import { untraced } from '../in-span.ts';
import { INVARIANTS } from './invariants.ts';
import { PeriodicVerifier } from './periodic.ts';

type Line = {
  readonly level: number;
  readonly msg: string;
  readonly invariant?: string;
  readonly broken?: unknown;
  readonly examples?: readonly string[];
  readonly invariants?: number;
};

const ERROR = 50;

async function twoNodes(owner: Owner) {
  const database = await testDatabase(owner);
  const lines: Line[] = [];
  const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) });
  const node = () =>
    new PeriodicVerifier({
      database,
      log,
      inSpan: untraced.inSpan,
      compareCatalogue: async () => ({ checked: 0, broken: 0, examples: [] }),
      intervalMs: 60_000,
    });
  const setDue = (expression: string) =>
    sql`UPDATE verify_schedule SET due_at = clock_timestamp() + ${expression}::interval`.execute(database.db);
  const runs = () => lines.filter(({ invariants }) => invariants !== undefined);
  return { database, lines, runs, one: node(), other: node(), setDue };
}

test('one of two nodes checks everything, and neither checks again before the interval has passed', async (t) => {
  const { lines, runs, one, other, setDue } = await twoNodes(t);
  equal(await one.lastRun(), undefined);
  await Promise.all([one.runIfDue(), other.runIfDue()]);
  await other.runIfDue();
  deepEqual(
    lines.map(({ msg }) => msg),
    ['the invariants were checked'],
  );
  await setDue('0 seconds');
  await other.runIfDue();
  equal(runs().length, 2);
});

test('both nodes return the results of the last run', async (t) => {
  const { one, other } = await twoNodes(t);
  await one.runIfDue();
  const run = await other.lastRun();
  deepEqual(run, await one.lastRun());
  deepEqual(Object.keys(run?.broken ?? {}).toSorted(), INVARIANTS.map(({ id }) => id).toSorted());
  deepEqual(run?.unchecked, []);
});

test('a run that its node did not finish is taken over when the lease expires', async (t) => {
  const { database, runs, one, setDue } = await twoNodes(t);
  await sql`UPDATE verify_schedule SET node = gen_random_uuid()`.execute(database.db);
  await setDue('1 minute');
  await one.runIfDue();
  equal(runs().length, 0);
  await setDue('0 seconds');
  await one.runIfDue();
  equal(runs().length, 1);
});

test('each violated invariant is logged at level error with examples, and the run continues', async (t) => {
  const { database, lines, runs, one } = await twoNodes(t);
  await sql`INSERT INTO account (id, name, statement_line) VALUES (gen_random_uuid(), 'without books', 1)`.execute(
    database.db,
  );
  await one.runIfDue();
  const errors = lines.filter(({ level, invariant }) => level === ERROR && invariant !== undefined);
  deepEqual(
    errors.map(({ invariant, broken, examples }) => [invariant, broken, examples?.length]),
    [
      ['I3', 1, 1],
      ['I5', 1, 1],
    ],
  );
  deepEqual(
    runs().map(({ level, msg }) => [level, msg]),
    [[ERROR, 'violated invariants: I3, I5']],
  );
  const run = await one.lastRun();
  deepEqual([run?.broken['I5'], run?.broken['I6']], [1, 0]);
});

test('a run records since when an invariant has been violated', async (t) => {
  const { database, one, other, setDue } = await twoNodes(t);
  const since = async (node: typeof one) => {
    await setDue('0 seconds');
    await node.runIfDue();
    return (await node.lastResults())?.invariants.find(({ id }) => id === 'I3')?.brokenSinceMicros;
  };
  equal(await since(one), null);
  await sql`INSERT INTO account (id, name) VALUES (gen_random_uuid(), 'without books')`.execute(database.db);
  const first = await since(one);
  ok(typeof first === 'number');
  equal(await since(other), first);
  await sql`INSERT INTO ledger_account (kind, account_id) SELECT 'prepaid', id FROM account`.execute(
    database.db,
  );
  equal(await since(one), null);
});

test('a node that closes gives up its run, and another node may begin one immediately', async (t) => {
  const { runs, one, other } = await twoNodes(t);
  const running = one.runIfDue();
  await one.close();
  await running;
  equal(runs().length, 0);
  await one.runIfDue();
  equal(runs().length, 0);
  await other.runIfDue();
  equal(runs().length, 1);
});
