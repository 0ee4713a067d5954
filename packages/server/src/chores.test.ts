import { deepEqual, equal } from 'node:assert/strict';
import { pino } from 'pino';
import { test } from 'vitest';
import { createChores } from './chores.ts';

const LATER = { everyMs: 3_600_000 };

function logged() {
  const lines: { level: number; chore?: string; msg: string; err?: { message: string } }[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test('a chore with more work takes turns with the others, and a run waits for all its steps', async () => {
  const steps: string[] = [];
  const chores = createChores(
    {
      long: { ...LATER, step: async () => steps.push('long') < 5 },
      short: { ...LATER, step: async () => steps.push('short') < 4 },
      idle: { ...LATER, step: async () => void steps.push('idle') },
    },
    logged().log,
  );
  await Promise.all([chores.run('long'), chores.run('short')]);
  deepEqual(steps, ['long', 'short', 'long', 'short', 'long']);
});

test('a step that fails is logged under the name of its chore, and the others still run', async () => {
  const { log, lines } = logged();
  let runs = 0;
  const fails = async () => {
    throw new Error('no connection');
  };
  const chores = createChores(
    {
      'folding the sums': { ...LATER, step: fails },
      'chaining the audit log': { ...LATER, step: fails, level: 'error' },
      other: {
        ...LATER,
        async step() {
          runs += 1;
        },
      },
    },
    log,
  );
  await Promise.all([
    chores.run('folding the sums'),
    chores.run('chaining the audit log'),
    chores.run('other'),
  ]);
  equal(runs, 1);
  deepEqual(
    lines.map(({ level, chore, msg, err }) => [level, chore, msg, err?.message]),
    [
      [40, 'folding the sums', 'folding the sums failed; retrying', 'no connection'],
      [50, 'chaining the audit log', 'chaining the audit log failed; retrying', 'no connection'],
    ],
  );
});

test('a run that begins during a step takes another step', async () => {
  let steps = 0;
  const chores = createChores(
    {
      counted: {
        ...LATER,
        async step() {
          steps += 1;
          if (steps === 1) second = chores.run('counted');
        },
      },
    },
    logged().log,
  );
  let second: Promise<void> | undefined;
  await chores.run('counted');
  await second;
  equal(steps, 2);
});
