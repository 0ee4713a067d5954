/** A sandbox generates these credentials; the next start prints them again. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { ClientCredentials } from './clients.ts';

export type StartClient = 'operator' | 'demo';

export type CredentialsFile = {
  find(client: StartClient): Promise<ClientCredentials | undefined>;
  save(client: StartClient, credentials: ClientCredentials): Promise<void>;
};

const NO_FILE: CredentialsFile = { find: async () => undefined, save: async () => {} };

export function openCredentialsFile({ mode, dataDir }: Pick<Config, 'mode' | 'dataDir'>): CredentialsFile {
  if (mode === 'live' || dataDir === 'memory') return NO_FILE;
  const file = join(dataDir, 'credentials.json');
  return {
    async find(client) {
      const kept = await readKept(file);
      return kept[client];
    },
    async save(client, credentials) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await replaceFile(
        file,
        `${JSON.stringify({ ...(await readKept(file)), [client]: credentials }, null, 2)}\n`,
      );
    },
  };
}

type Kept = { readonly [client in StartClient]?: ClientCredentials };

async function readKept(file: string): Promise<Kept> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw error;
  });
  const operator = parseCredentials(text, 'operator');
  const demo = parseCredentials(text, 'demo');
  return { ...(operator === undefined ? {} : { operator }), ...(demo === undefined ? {} : { demo }) };
}

/** A damaged file must not prevent the start. */
function parseCredentials(text: string, client: StartClient): ClientCredentials | undefined {
  try {
    const { clientId, clientSecret } = JSON.parse(text)[client];
    return typeof clientId === 'string' && typeof clientSecret === 'string'
      ? { clientId, clientSecret }
      : undefined;
  } catch {
    return undefined;
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}
