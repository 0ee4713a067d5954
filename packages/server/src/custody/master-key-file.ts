/** One key per line, 32 bytes in base64, the newest last. */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { must } from '@keyport/core/assert';
import { findInvisible, trimInvisible } from '@keyport/core/invisible';
import type { Config } from '../config.ts';
import { KEY_SIZE_BYTES } from './envelope.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HOW_TO_CREATE_ONE = 'create one with `openssl rand -base64 32`';
const KEY_COUNT_MAX = 16;
const ID_SIZE_BYTES = 8;
/** Permissions of everyone except owner and group. */
const OTHERS = 0o007;
const NOT_OWNER = 0o077;

export type MasterKey = { readonly id: string; readonly key: KeyObject };

export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

type KeyFileConfig = Pick<Config, 'masterKeyFile' | 'dataDir' | 'mode'>;

/** Undefined for a sandbox in memory. Throws MasterKeyError. */
export function toMasterKeyFile({ masterKeyFile, dataDir, mode }: KeyFileConfig): string | undefined {
  if (masterKeyFile !== undefined) return masterKeyFile;
  if (mode === 'live') {
    throw new MasterKeyError(
      `live mode needs a master key: set KEYPORT_MASTER_KEY_FILE to a file with 32 bytes in base64; ${HOW_TO_CREATE_ONE}`,
    );
  }
  return dataDir === 'memory' ? undefined : join(dataDir, 'master.key');
}

/** Newest last. Throws MasterKeyError. */
export async function loadMasterKeys(config: KeyFileConfig): Promise<readonly MasterKey[]> {
  const file = toMasterKeyFile(config);
  if (file === undefined) return [toMasterKey(randomBytes(KEY_SIZE_BYTES))];
  if (config.masterKeyFile === undefined) await createOnce(file, `${newKeyText()}\n`);
  return readMasterKeys(file);
}

/**
 * The data folder of a sandbox has the master key, the operator's secret and the embedded database. Throws MasterKeyError if
 * others can read them and this user can't change that.
 */
export async function protectDataFolder(
  { mode, dataDir }: Pick<Config, 'mode' | 'dataDir'>,
  warn: (warning: string) => void,
): Promise<void> {
  // Windows has no such permissions, and live mode keeps no secret there.
  if (mode === 'live' || dataDir === 'memory' || process.platform === 'win32') return;
  for (const name of ['', 'master.key', 'credentials.json']) {
    const path = join(dataDir, name);
    const permissions = ((await stat(path).catch(() => undefined))?.mode ?? 0) & 0o777;
    if ((permissions & NOT_OWNER) === 0) continue;
    const fact = `others could read ${path} (mode ${permissions.toString(8).padStart(4, '0')})`;
    const isOurs = await chmod(path, permissions & ~NOT_OWNER).then(
      () => true,
      () => false,
    );
    if (isOurs) warn(`${fact}; only this user can now`);
    else if ((permissions & OTHERS) !== 0) {
      throw new MasterKeyError(
        `${fact}, and it belongs to another user. Nothing was changed: give it to the user of this service, or choose a different ` +
          'folder with KEYPORT_DATA_DIR',
      );
    }
  }
}

/** Throws MasterKeyError in live mode. */
export async function checkKeyFileMode(
  file: string,
  { mode, warn }: { readonly mode: Config['mode']; readonly warn: (warning: string) => void },
): Promise<void> {
  const permissions = (await stat(file)).mode & 0o777;
  // Windows has no such permissions.
  if (process.platform === 'win32' || (permissions & OTHERS) === 0) return;
  const problem =
    `every user of this machine can read or change the master key file ${file} ` +
    `(mode ${permissions.toString(8).padStart(4, '0')}): run chmod 600 ${file}`;
  if (mode === 'live') throw new MasterKeyError(problem);
  warn(problem);
}

/** Newest last, at least one. Throws MasterKeyError. */
export async function readMasterKeys(file: string): Promise<readonly MasterKey[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new MasterKeyError(`the master key file ${file} cannot be read; ${HOW_TO_CREATE_ONE}`, { cause });
  });
  const keys = toLines(text).map((line) => parseKey(line, file));
  if (keys.length === 0 || keys.length > KEY_COUNT_MAX) throw invalidKeyFile(file);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new MasterKeyError(`the master key file ${file} has a duplicate key; remove one copy`);
  }
  return keys;
}

/** Throws MasterKeyError. */
export async function addMasterKey(file: string): Promise<MasterKey> {
  const keys = await readMasterKeys(file);
  if (keys.length === KEY_COUNT_MAX) {
    throw new MasterKeyError(
      `the master key file ${file} already has ${KEY_COUNT_MAX} keys; remove old ones first`,
    );
  }
  const added = newKeyText();
  await replaceFile(file, [...toLines(await readFile(file, 'utf8')), added]);
  return parseKey(added, file);
}

/** No value may still be wrapped under this key. */
export async function removeMasterKey(file: string, id: string): Promise<void> {
  const lines = toLines(await readFile(file, 'utf8'));
  await replaceFile(
    file,
    lines.filter((line) => parseKey(line, file).id !== id),
  );
}

export function toMasterKey(bytes: Buffer): MasterKey {
  const id = createHmac('sha256', bytes)
    .update('keyport/master-key-id')
    .digest('hex')
    .slice(0, ID_SIZE_BYTES * 2);
  return { id, key: createSecretKey(bytes) };
}

function newKeyText(): string {
  return randomBytes(KEY_SIZE_BYTES).toString('base64');
}

function toLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map(trimInvisible)
    .filter((line) => line !== '');
}

function parseKey(base64: string, file: string): MasterKey {
  const character = findInvisible(base64);
  if (character !== undefined) {
    throw new MasterKeyError(
      `a line of the master key file ${file} contains ${character}, which cannot be seen; remove it`,
    );
  }
  const bytes = Buffer.from(base64, 'base64');
  if (!BASE64.test(base64) || bytes.length !== KEY_SIZE_BYTES) throw invalidKeyFile(file);
  return toMasterKey(bytes);
}

function invalidKeyFile(file: string): MasterKeyError {
  return new MasterKeyError(
    `the master key file ${file} must hold exactly 32 bytes in base64, or 1 to ${KEY_COUNT_MAX} such lines; ` +
      HOW_TO_CREATE_ONE,
  );
}

/** Keeps the permissions. */
async function replaceFile(file: string, lines: readonly string[]): Promise<void> {
  const { mode } = await stat(file);
  const draft = await writeDraft(file, `${lines.join('\n')}\n`, mode & 0o777);
  await rename(draft, file);
}

/** If another process was first, the link fails and that process's file is used. */
async function createOnce(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = await writeDraft(file, text, 0o600);
  try {
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
}

async function writeDraft(file: string, text: string, mode: number): Promise<string> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, text, { mode, flag: 'wx', flush: true });
  return draft;
}

export function findNewest(keys: readonly MasterKey[]): MasterKey {
  return must(keys.at(-1), 'a master key');
}
