/** After a crash or power cut, a file has its old or new content. */
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Returns the size in bytes. */
export async function replaceFile(file: string, pieces: Iterable<string>): Promise<number> {
  const part = toPart(file);
  const sizeBytes = await writeNew(part, pieces);
  try {
    await rename(part, file);
  } catch (error) {
    await unlink(part).catch(() => {});
    throw error;
  }
  await syncFolder(file);
  return sizeBytes;
}

/** False if the file exists. */
export async function createFile(file: string, text: string): Promise<boolean> {
  const part = toPart(file);
  await writeNew(part, [text]);
  try {
    // Unlike a rename, a link never replaces another process's file.
    await link(part, file).catch((error: unknown) => {
      // Not every file system has links.
      if (!NO_LINKS.includes(toCode(error))) throw error;
      return writeNew(file, [text]);
    });
  } catch (error) {
    if (toCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(part).catch(() => {});
  }
  await syncFolder(file);
  return true;
}

export async function removeFile(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (toCode(error) !== 'ENOENT') throw error;
  });
  await syncFolder(file);
}

/** Makes the file's name durable. Windows, which cannot open folders, does so automatically. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch((error: unknown) => {
    if (toCode(error) === 'EISDIR' || toCode(error) === 'EPERM' || toCode(error) === 'EACCES')
      return undefined;
    throw error;
  });
  try {
    await folder?.sync();
  } catch (error) {
    if (toCode(error) !== 'EPERM' && toCode(error) !== 'EINVAL') throw error;
  } finally {
    await folder?.close();
  }
}

export function toCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function toPart(file: string): string {
  return `${file}.${crypto.randomUUID()}.tmp`;
}

async function writeNew(file: string, pieces: Iterable<string>): Promise<number> {
  // Only the owner may read journals, which contain orders.
  const handle = await open(file, 'wx', 0o600);
  let sizeBytes = 0;
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      await handle.writeFile(bytes);
      sizeBytes += bytes.length;
    }
    await handle.sync();
  } catch (error) {
    await handle.close();
    await unlink(file).catch(() => {});
    throw error;
  }
  await handle.close();
  return sizeBytes;
}

/** A file of the SDK was damaged or changed. Nothing was sent; the message states what to do. */
export class JournalError extends Error {
  /** Always `JournalError`. */
  override readonly name: string = 'JournalError';
  readonly file: string;

  constructor(file: string, problem: string, options: { cause?: unknown } = {}) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}
