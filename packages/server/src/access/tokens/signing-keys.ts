/** Tokens are signed with the newest key that every node knows; older keys stay valid for their tokens. A23. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { must } from '@keyport/core/assert';
import { NAME_OF } from '../../custody/envelope.ts';
import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import * as sql from './signing-keys.sql.ts';

export const TOKEN_ALGORITHM = 'ES256';
const CURVE = 'P-256';
const KID_SIZE_BYTES = 12;
const UNKNOWN_KEY_RELOAD_INTERVAL_MS = 1_000;
/** Covers a few missed reads. */
const SUPERSEDED_MARGIN_SECONDS = 60;
const LIMITS = { statementTimeoutMs: 5_000, lockTimeoutMs: 5_000, deadlineMs: 8_000 };
const SIGNING_DAYS_MAX = 30;
const DUE = { algorithm: TOKEN_ALGORITHM, ageSecondsMax: SIGNING_DAYS_MAX * 86_400 };

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** Check it at each use of a cached key. */
  isRetired: boolean;
};

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>;

export async function openSigningKeys({
  database,
  masterKeys,
  tokenTtlSeconds,
  nowMs,
}: {
  database: Database;
  masterKeys: Pick<MasterKeys, 'wrap' | 'unwrap'>;
  tokenTtlSeconds: number;
  nowMs: () => number;
}) {
  let keys: readonly SigningKey[] = [];
  let reloadedAtMs = Number.NEGATIVE_INFINITY;
  let reloading: Promise<void> | undefined;

  async function accept(rows: readonly sql.SigningKeyRow[]): Promise<void> {
    const known = new Map(keys.map((key) => [key.kid, key]));
    const accepted = await Promise.all(rows.map((row) => known.get(row.kid) ?? openKey(masterKeys, row)));
    for (const key of keys) key.isRetired = !accepted.includes(key);
    keys = accepted;
  }

  async function readKeys(): Promise<void> {
    const { rows, isDue } = await runTransaction(database, LIMITS, async (tx) => {
      await sql.retireSupersededKeys(tx, tokenTtlSeconds + SUPERSEDED_MARGIN_SECONDS);
      // Precedes the read of the keys, which could otherwise lack another node's first key.
      const isDue = await sql.isSigningKeyDue(tx, DUE);
      return { isDue, rows: await sql.listLiveSigningKeys(tx, TOKEN_ALGORITHM) };
    });
    await accept(isDue ? await createDueKey() : rows);
  }

  async function createDueKey(): Promise<readonly sql.SigningKeyRow[]> {
    return runTransaction(database, LIMITS, async (tx) => {
      await sql.lockSigningKeys(tx);
      if (await sql.isSigningKeyDue(tx, DUE))
        await sql.insertSigningKey(tx, await generateKey(tx, masterKeys));
      return sql.listLiveSigningKeys(tx, TOKEN_ALGORITHM);
    });
  }

  async function reload(): Promise<void> {
    while (reloading !== undefined) await reloading.catch(() => {});
    reloadedAtMs = nowMs();
    reloading = readKeys().finally(() => {
      reloading = undefined;
    });
    await reloading;
  }

  async function findAfterReload(kid: string): Promise<SigningKey | undefined> {
    await reload();
    return keys.find((key) => key.kid === kid);
  }

  await reload();

  return {
    current: () => must(keys[0], 'a signing key'),
    /** An unknown id may be another node's, so the keys are read again. */
    find(kid: string): SigningKey | undefined | Promise<SigningKey | undefined> {
      const key = keys.find((known) => known.kid === kid);
      if (key !== undefined) return key;
      if (reloading !== undefined) return reloading.then(() => keys.find((known) => known.kid === kid));
      return nowMs() - reloadedAtMs < UNKNOWN_KEY_RELOAD_INTERVAL_MS ? undefined : findAfterReload(kid);
    },
    listPublicJwks: () =>
      keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: TOKEN_ALGORITHM, use: 'sig' })),
    /** A chore: a key that another node removed must be rejected within 60 s. Throws database errors. */
    reload,
    /** Returns the new key's id; the key signs once every node knows it. */
    async rotate(): Promise<string> {
      const kid = await runTransaction(database, LIMITS, async (tx) => {
        const key = await generateKey(tx, masterKeys);
        await sql.insertSigningKey(tx, key);
        return key.kid;
      });
      await reload();
      return kid;
    },
    /** False if there is no such key. */
    async retire(kid: string): Promise<boolean> {
      const isRetired = await runTransaction(database, LIMITS, (tx) => sql.retireSigningKey(tx, kid));
      await reload();
      return isRetired;
    },
  };
}

async function generateKey(
  tx: Tx,
  masterKeys: Pick<MasterKeys, 'wrap'>,
): Promise<sql.SigningKeyRow & { algorithm: string }> {
  const kid = randomBytes(KID_SIZE_BYTES).toString('base64url');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const { wrapped, masterKeyId } = await masterKeys.wrap(tx, der, NAME_OF.signingKey(kid));
  return {
    kid,
    algorithm: TOKEN_ALGORITHM,
    publicJwk: { ...publicKey.export({ format: 'jwk' }) },
    privateWrapped: wrapped,
    masterKeyId,
  };
}

/** Derives the public key; the row's copy is for operators who read the database. */
async function openKey(
  masterKeys: Pick<MasterKeys, 'unwrap'>,
  { kid, privateWrapped, masterKeyId }: sql.SigningKeyRow,
): Promise<SigningKey> {
  const der = await masterKeys.unwrap({ wrapped: privateWrapped, masterKeyId }, NAME_OF.signingKey(kid));
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  return {
    kid,
    privateKey,
    publicKey,
    publicJwk: { ...publicKey.export({ format: 'jwk' }) },
    isRetired: false,
  };
}
