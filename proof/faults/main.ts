/** `npm run test:proof -- NAME --count N --seed S` runs a scenario; without a name, it lists them. */
import { parseArgs } from 'node:util';
import { newSeed, runScenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string', default: newSeed() } },
});

const [name] = positionals;
const scenario = SCENARIOS.find((one) => one.name === name);
const obstacle = scenario?.obstacle?.();
if (scenario === undefined) {
  for (const { name, count, promise } of SCENARIOS) console.log(`${name} (${count} times)\n  ${promise}\n`);
  if (name !== undefined) throw new Error(`there is no scenario ${name}`);
} else if (obstacle !== undefined) {
  console.log(`skipped ${scenario.name}: ${obstacle}`);
} else {
  const count = values.count === undefined ? scenario.count : parseCount(values.count);
  const { seed } = values;
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  console.log(`${scenario.name}, ${count} times, seed ${seed}`);
  const works: (() => Promise<void>)[] = [];
  const owner = { onTestFinished: (work: () => Promise<void>) => void works.push(work) };
  try {
    const progress = (text: string) => console.log(`  ${seconds()}: ${text}`);
    const report = await runScenario(scenario, { owner, count, seed, progress });
    for (const [title, value] of Object.entries(report)) console.log(`  ${title}: ${JSON.stringify(value)}`);
    console.log(`${scenario.name}: held, ${seconds()}`);
  } catch (error) {
    console.error(error);
    console.log(`${scenario.name}: FAILED, ${seconds()}`);
    process.exitCode = 1;
  } finally {
    for (const work of works.reverse()) await work();
  }
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`--count is a whole number from 1, not ${text}`);
}
