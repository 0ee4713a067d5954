import { readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@keyport/server/config';

/** Commands on this machine use this address, since the public URL leads through proxies. */
export type RunningService = { readonly url: string; readonly pid: number };

function toFile({ dataDir }: Config): string | undefined {
  return dataDir === 'memory' ? undefined : join(dataDir, 'running.json');
}

/** The file is removed when this process ends. Throws if it cannot be written. */
export async function announceService(config: Config, url: string): Promise<void> {
  const file = toFile(config);
  if (file === undefined) return;
  const draft = `${file}.${process.pid}`;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify({ url, pid: process.pid } satisfies RunningService)}\n`);
  await rename(draft, file);
  process.once('exit', () => {
    try {
      if (parse(readFileSync(file, 'utf8'))?.pid === process.pid) rmSync(file);
    } catch {
      // The folder is gone.
    }
  });
}

/** Returns undefined if there is no file or its process has ended. */
export async function findService(config: Config): Promise<RunningService | undefined> {
  const file = toFile(config);
  if (file === undefined) return undefined;
  const service = parse(await readFile(file, 'utf8').catch(() => ''));
  return service !== undefined && isAlive(service.pid) ? service : undefined;
}

function parse(text: string): RunningService | undefined {
  try {
    const { url, pid } = JSON.parse(text);
    return typeof url === 'string' && Number.isSafeInteger(pid) ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
