/** Processor time of a process and its child processes, from Linux's /proc. */
import { readdir, readFile } from 'node:fs/promises';
import type { LoadResult } from './load.ts';

/** The clock tick of /proc/<pid>/stat. */
const TICK_MS = 10;

type Stat = { readonly parent: number; readonly ownTicks: number; readonly endedTicks: number };

/** Returns the milliseconds since the process started, including those of running and ended children. */
export async function processorMsOf(pid: number): Promise<number> {
  const stats = await readStats();
  const isBelow = ({ parent }: Stat): boolean => {
    if (parent === pid) return true;
    const above = stats.get(parent);
    return above !== undefined && isBelow(above);
  };
  let ticks = 0;
  for (const [each, stat] of stats) {
    if (each === pid || isBelow(stat)) ticks += stat.ownTicks + stat.endedTicks;
  }
  return ticks * TICK_MS;
}

/** Adds the processor time per request of each named process to the result of the load. */
export async function withProcessorTime(
  pids: Readonly<Record<string, number | undefined>>,
  run: () => Promise<LoadResult>,
): Promise<LoadResult> {
  const read = () => Promise.all(Object.values(pids).map((pid = 0) => processorMsOf(pid)));
  const before = await read();
  const result = await run();
  const after = await read();
  const requests = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  const perRequest = Object.keys(pids).map((name, index) => {
    const usedMs = (after[index] ?? 0) - (before[index] ?? 0);
    return [name, (usedMs * 1000) / requests] as const;
  });
  return { ...result, processorMicros: Object.fromEntries(perRequest) };
}

async function readStats(): Promise<Map<number, Stat>> {
  const stats = new Map<number, Stat>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process that has just ended has no file.
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The command name may contain spaces. After its closing parenthesis come the state, the parent…
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    stats.set(Number(name), { parent, ownTicks: user + system, endedTicks: endedUser + endedSystem });
  }
  return stats;
}
