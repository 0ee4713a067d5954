import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { beforeAll, test } from 'vitest';
import { makeEmptyDatabase } from './empty-database.ts';
import { generateOperations } from './operation.ts';
import { runSimulation } from './simulation.ts';

const STEP_COUNT = 200;
const RANDOM_SEED = String(randomInt(1_000_000));
/** All seeds are some that once found a fault, others, and a random one. */
const SEEDS =
  process.env['KEYPORT_TEST_SEEDS'] === 'all' ? ['1', '3', '555', '70427', RANDOM_SEED] : [RANDOM_SEED];

let dump: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  dump = await makeEmptyDatabase();
});

test('a seed gives the same run bit for bit', async () => {
  const [first, second] = [await run('twice', 80), await run('twice', 80)];
  assert.equal(first.hash, second.hash);
  assert.notEqual((await run('another', 20)).hash, (await run('other', 20)).hash);
});

for (const seed of SEEDS) {
  test(`service and model agree after every operation and every fault of seed ${seed}`, async () => {
    const { orderCount, faultCount } = await run(seed, STEP_COUNT);
    assert.ok(orderCount > 0 && faultCount > 0, 'something happened');
  });
}

async function run(seed: string, stepCount: number) {
  const result = await runSimulation({ seed, operations: generateOperations(seed, stepCount), dump });
  const { failure } = result;
  const repeat = `npm run test:proof -- simulation --seed ${seed} --steps ${stepCount}`;
  assert.equal(failure, undefined, `${repeat} fails after operation ${failure?.step}: ${failure?.message}`);
  return result;
}
