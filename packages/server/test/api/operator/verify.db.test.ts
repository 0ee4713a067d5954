/** R33. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

type Result = { readonly id: string; readonly checked: number; readonly broken: number };

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });
const { productId } = await h.seed.listing();

const broken = async () => (await h.operate('GET', '/verify')).filter((result: Result) => result.broken > 0);

test('every invariant is named once and holds after an order', async () => {
  equal((await reseller.order(auto(productId))).status, 201);
  const results: Result[] = await h.operate('GET', '/verify');
  equal(new Set(results.map(({ id }) => id)).size, results.length);
  ok(results.some(({ checked }) => checked > 0));
  deepEqual(await broken(), []);
});

test('a balance that differs from the books is reported', async () => {
  const move = (cents: number) =>
    sql`UPDATE account SET balance_minor = balance_minor + ${cents} WHERE id = ${reseller.accountId}::uuid`.execute(
      h.database.db,
    );
  await move(1);
  const found: Result[] = await broken();
  await move(-1);
  ok(found.length > 0);
  deepEqual(await broken(), []);
});

test('only the requested invariants are checked, including the in-memory catalogue (I66)', async () => {
  const results: Result[] = await h.operate('GET', '/verify?only=I66,I3,I57,I3');
  deepEqual(results.map(({ id }) => id).toSorted(), ['I3', 'I57', 'I66']);
  ok(results.every((result) => result.broken === 0));
  // I57 sees entries of the audit log only after they are chained, about a second later.
  ok(results.every(({ id, checked }) => checked > 0 || id === 'I57'));
});

for (const [only, said] of [
  [
    'I3%2CI36%2CI38',
    /^query\.only names I\d+, I\d+: no such invariant is checked; choose from I3, I5, .*, I66, I\d+.*\.$/,
  ],
  ['i2', /^query\.only must be invariant ids separated by commas, such as I3,I22/],
  ['', /^query\.only must be invariant ids/],
] as const) {
  test(`only=${only} is rejected, and the error names the known invariants or the format`, async () => {
    const { status, body } = await h.admin('GET', `/verify?only=${only}`);
    equal(status, 400);
    match(body.error.message, said);
  });
}
