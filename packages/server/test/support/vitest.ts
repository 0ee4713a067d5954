import type { TestContext } from 'vitest';
import { type Owner, onEnd } from './database.ts';
import { type Harness, startHarness } from './harness.ts';

let endFile = async (): Promise<void> => {};

/** Owns what all tests of a file use. Unlike `afterAll`, it also accepts resources from a hook or test. */
export const wholeFile: Owner = {
  onTestFinished(work) {
    endFile = work;
  },
};

/** support/vitest-setup.ts calls it at the end of every file. */
export async function endWholeFile(): Promise<void> {
  const end = endFile;
  endFile = async () => {};
  await end();
}

/** Skips a test if an engine or a program is missing. A string is the reported reason. */
export function skipBecause(t: TestContext, obstacle: string | boolean | undefined): void {
  t.skip(obstacle !== undefined && obstacle !== false, String(obstacle));
}

const shared = new Map<string, Promise<Harness>>();

/**
 * Shared by the files of this worker, for tests that check only data that they created. Its invariants are
 * verified when each file ends.
 */
export async function sharedHarness(settings: Readonly<Record<string, string>> = {}): Promise<Harness> {
  const key = JSON.stringify(settings);
  const started = shared.get(key) ?? startHarness({ onTestFinished() {} }, settings);
  shared.set(key, started);
  const h = await started;
  onEnd(wholeFile, () => h.assertInvariants());
  return h;
}
