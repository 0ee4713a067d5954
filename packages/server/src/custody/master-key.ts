/**
 * Loads the master key, under which every other secret of the installation is wrapped: 32 bytes in base64 in a file.
 * In sandbox mode the file is made when it is missing; live mode never makes one, because a new key cannot open an
 * existing database. The key is held as a KeyObject, which no log or error message can print.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { KEY_SIZE_BYTES } from './envelope.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HOW_TO_MAKE_ONE = 'make one with `openssl rand -base64 32`';

/** The master key cannot be had; the message says which file and what to do. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** The master key, made first where that is allowed (sandbox mode). Throws MasterKeyError. */
export async function loadMasterKey(
  config: Pick<Config, 'masterKeyFile' | 'dataDir' | 'mode'>,
): Promise<KeyObject> {
  if (config.masterKeyFile !== undefined) return parseMasterKey(config.masterKeyFile);
  if (config.mode === 'live') {
    throw new MasterKeyError(
      `live mode needs a master key: set KEYPORT_MASTER_KEY_FILE to a file with 32 bytes in base64; ${HOW_TO_MAKE_ONE}`,
    );
  }
  if (config.dataDir === 'memory') return createSecretKey(randomBytes(KEY_SIZE_BYTES));
  const file = join(config.dataDir, 'master.key');
  await createOnce(file, `${randomBytes(KEY_SIZE_BYTES).toString('base64')}\n`);
  return parseMasterKey(file);
}

async function parseMasterKey(file: string): Promise<KeyObject> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new MasterKeyError(`the master key file ${file} cannot be read; ${HOW_TO_MAKE_ONE}`, { cause });
  });
  const base64 = text.trim();
  const bytes = Buffer.from(base64, 'base64');
  if (!BASE64.test(base64) || bytes.length !== KEY_SIZE_BYTES) {
    throw new MasterKeyError(
      `the master key file ${file} must hold exactly 32 bytes in base64; ${HOW_TO_MAKE_ONE}`,
    );
  }
  return createSecretKey(bytes);
}

/**
 * Makes the file unless it exists, whole or not at all: a link either gives the complete draft its name or fails
 * because another process was first. That other one's file then counts.
 */
async function createOnce(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
}
