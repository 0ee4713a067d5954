import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export async function findProcesses(postmaster: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid, parent]) =>
    pid !== undefined && (pid === postmaster || parent === postmaster) ? [pid] : [],
  );
}
