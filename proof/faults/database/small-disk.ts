/** A tmpfs, which only Linux has and only root may mount. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { UNPRIVILEGED_USER_ID } from '../../../packages/server/test/support/postgres.ts';

export type SmallDisk = {
  readonly folder: string;
  fill(): Promise<void>;
  clear(): Promise<void>;
};

const BALLAST_PIECE = Buffer.alloc(1024 * 1024);

export function smallDiskObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can mount a small disk';
  const folder = mkdtempSync(join(tmpdir(), 'keyport-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this machine does not allow mounting a small disk';
  } finally {
    rmdirSync(folder);
  }
}

export async function mountSmallDisk(owner: Owner, sizeMib: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join('/tmp', 'keyport-disk-'));
  const mount = `size=${sizeMib}m,uid=${UNPRIVILEGED_USER_ID},gid=${UNPRIVILEGED_USER_ID},mode=700`;
  await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', mount, 'tmpfs', folder]);
  onEnd(owner, async () => {
    await promisify(execFile)('umount', ['-l', folder]);
    await rmdir(folder);
  });
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        // The last piece is written in part, and the next one fails.
        for (;;) await file.write(BALLAST_PIECE);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        await file.close();
      }
    },
    clear: () => rm(ballast, { force: true }),
  };
}
