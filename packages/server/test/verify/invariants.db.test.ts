/** src/verify/invariant.ts describes how to add an invariant and its case. */
import { deepEqual, doesNotMatch, notEqual } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { dbOver } from '../../src/db/engines/database.ts';
import { isRetryable } from '../../src/db/errors.ts';
import { checkInvariant, type InvariantResult } from '../../src/verify/check.sql.ts';
import { INVARIANTS } from '../../src/verify/invariants.ts';
import { verifyInvariants } from '../../src/verify/verify.ts';
import { startHarness } from '../support/harness.ts';
import { wholeFile } from '../support/vitest.ts';
import type { Break, Breaks } from './break.ts';
import { CLAIM_BREAKS } from './breaks-claims.ts';
import { EVENT_BREAKS } from './breaks-events.ts';
import { MONEY_BREAKS } from './breaks-money.ts';
import { ORDER_BREAKS } from './breaks-orders.ts';
import { RECORD_BREAKS } from './breaks-records.ts';
import { STOCK_BREAKS } from './breaks-stock.ts';
import { SUM_BREAKS } from './breaks-sums.ts';
import { WEBHOOK_BREAKS } from './breaks-webhooks.ts';
import { buildWorld, type World } from './world.ts';

const BREAKS: Breaks = {
  ...MONEY_BREAKS,
  ...ORDER_BREAKS,
  ...STOCK_BREAKS,
  ...RECORD_BREAKS,
  ...EVENT_BREAKS,
  ...WEBHOOK_BREAKS,
  ...SUM_BREAKS,
  ...CLAIM_BREAKS,
};

const h = await startHarness(wholeFile, { KEYPORT_GATEWAY_TIMEOUT_MS: '20', KEYPORT_APPROVAL_ABOVE: '500' });
let world: World;
beforeAll(async () => {
  world = await buildWorld(h);
});

test('every invariant has a unique number and a case that violates it', () => {
  const ids = INVARIANTS.map(({ id }) => id);
  deepEqual(new Set(ids).size, ids.length);
  deepEqual(Object.keys(BREAKS).toSorted(), ids.toSorted());
  deepEqual(new Set(CASES.map(({ id }) => id)), new Set(ids));
});

test('nothing is violated before the cases, and every invariant has rows to check', async () => {
  const results = await verifyInvariants(h.database);
  deepEqual(
    results.filter(({ broken }) => broken > 0),
    [],
  );
  deepEqual(
    results.filter(({ checked }) => checked === 0).map(({ id }) => id),
    [],
  );
});

const CASES = INVARIANTS.flatMap(({ id, title }) =>
  [BREAKS[id] ?? []].flat().map((found, index) => ({ id, found, name: `${title} (${index + 1})` })),
);
for (const { id, found, name } of CASES) {
  test(`${id} is reported when it is violated: ${name}`, async () => {
    const results = await verifyBroken(found);
    // Cases drop constraints and triggers that would prevent the damage; their absence violates I98.
    const broken = results
      .filter((result) => result.broken > 0 && (result.id !== 'I98' || id === 'I98'))
      .map((result) => result.id);
    deepEqual(broken.toSorted(), [id, ...(found.also ?? [])].toSorted());
    const examples = results.find((result) => result.id === id)?.examples ?? [];
    notEqual(examples.length, 0);
    for (const example of examples) doesNotMatch(example, /CODE-/);
  });
}

const ATTEMPTS_MAX = 3;

async function verifyBroken(broken: Break, attempt = 1): Promise<InvariantResult[]> {
  try {
    return await verifyRolledBack(broken);
  } catch (error) {
    // PostgreSQL notices some deadlocks as soon as this session requests the lock.
    if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error;
    return verifyBroken(broken, attempt + 1);
  }
}

/** Verifies inside a transaction that damages data and is rolled back. */
async function verifyRolledBack({ statements }: Break): Promise<InvariantResult[]> {
  const client = await h.database.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    // A deadlock with a worker then ends the worker, which retries.
    await client.query("SET LOCAL deadlock_timeout = '10min'");
    // The append-only triggers of the books fire here too, unless they are enabled as ordinary ones.
    await client.query('ALTER TABLE ledger_transfer ENABLE TRIGGER ledger_transfer_append_only');
    for (const statement of statements(world)) await client.query(statement);
    const results: InvariantResult[] = [];
    for (const invariant of INVARIANTS) results.push(await checkInvariant(dbOver(client), invariant));
    return results;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
