/**
 * Makes a process depend on a seed alone: its clock and random values come from here, and so do those of
 * PostgreSQL, which runs in this process. Timers stay real, because the simulated parts never wait for one.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { createRandom } from '../../packages/server/test/support/random.ts';

export type Clock = {
  /** Microseconds since the epoch. It stands still until it is moved, and never goes back. */
  readonly nowMicros: () => number;
  readonly moveTo: (micros: number) => void;
};

/** Restores everything afterwards. Only one call at a time. */
export async function withDeterminism<Result>(
  seed: string,
  startMicros: number,
  work: (clock: Clock) => Promise<Result>,
): Promise<Result> {
  let now = startMicros;
  const random = createRandom(`${seed}/entropy`);
  const fill = (view: Uint8Array) => {
    for (let index = 0; index < view.length; index += 1) view[index] = random.between(0, 255);
  };
  const original = {
    now: Date.now,
    random: Math.random,
    randomBytes: crypto.randomBytes,
    randomFillSync: crypto.randomFillSync,
  };
  // Half a microsecond more, because the engine cuts fractions off.
  Date.now = () => (now + 0.5) / 1000;
  Math.random = () => 0;
  Object.assign(crypto, {
    randomBytes: (size: number) => {
      const bytes = Buffer.alloc(size);
      fill(bytes);
      return bytes;
    },
    randomFillSync: <View extends NodeJS.ArrayBufferView>(view: View) => {
      fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
      return view;
    },
  });
  syncBuiltinESMExports();
  try {
    return await work({
      nowMicros: () => now,
      moveTo: (micros) => {
        now = Math.max(now, micros);
      },
    });
  } finally {
    Date.now = original.now;
    Math.random = original.random;
    Object.assign(crypto, { randomBytes: original.randomBytes, randomFillSync: original.randomFillSync });
    syncBuiltinESMExports();
  }
}
