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
const verified = new WeakMap<Harness, string>();
/** A worker verifies the invariants after this many files that moved money or stock. */
const FILES_PER_CHECK = 4;
let unverifiedFiles = 0;

/**
 * Shared by the files of this worker, for tests that check only data that they created. The default settings suit most files,
 * so that a worker starts few services. Invariants are verified after every fourth file that moved money or stock, and when the
 * run ends (postgres-setup.ts).
 */
export async function sharedHarness(settings: Readonly<Record<string, string>> = {}): Promise<Harness> {
  const key = JSON.stringify(settings);
  const started =
    shared.get(key) ?? startHarness({ onTestFinished() {} }, { ...SHARED_SETTINGS, ...settings });
  shared.set(key, started);
  const h = await started;
  onEnd(wholeFile, async () => {
    const movements = await h.movements();
    if (verified.get(h) === movements) return;
    unverifiedFiles += 1;
    if (unverifiedFiles < FILES_PER_CHECK) return;
    unverifiedFiles = 0;
    await h.assertInvariants();
    verified.set(h, movements);
  });
  return h;
}

/** The simulated provider responds within this time even on a busy machine; its lost responses cost a test this much. */
const SHARED_SETTINGS = { KEYPORT_GATEWAY_TIMEOUT_MS: '200' };
