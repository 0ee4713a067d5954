/**
 * Reporter of one test file for scripts/test.ts: one line of JSON for each finished test and each suite that is
 * skipped as a whole, none for the suites and parents that only gather others.
 */
import { inspect } from 'node:util';

export type TestResult = {
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped, for people. */
  reason: string;
};

type TestEvent = {
  type: string;
  data: {
    name: string;
    skip?: boolean | string;
    todo?: boolean | string;
    details?: { type?: string; error?: Error & { failureType?: string } };
  };
};

// biome-ignore lint/style/noDefaultExport: node --test-reporter takes the default export.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSkipped = data.skip !== undefined && data.skip !== false;
    // Of a suite that is skipped nobody hears its tests.
    if (data.details?.type === 'suite' && !isSkipped) continue;
    if (data.details?.error?.failureType === 'subtestsFailed') continue;
    const result = resultOf(type, data);
    yield `${JSON.stringify(result)}\n`;
  }
}

function resultOf(type: string, data: TestEvent['data']): TestResult {
  const { name: title, skip, todo, details } = data;
  if (skip !== undefined && skip !== false) return { title, outcome: 'skipped', reason: reasonText(skip) };
  if (todo !== undefined && todo !== false)
    return { title, outcome: 'skipped', reason: `to do ${reasonText(todo)}` };
  if (type === 'test:pass') return { title, outcome: 'passed', reason: '' };
  const error = details?.error;
  return { title, outcome: 'failed', reason: inspect(error?.cause ?? error) };
}

function reasonText(reason: boolean | string): string {
  return typeof reason === 'string' ? reason : '';
}
