/**
 * Encrypts codes with AES-256-GCM under a data key that the master key wraps, bound to row and offer. No
 * error or log contains a code or a key. A58, I32, A250.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { assert, must } from '@keyport/core/assert';
import { foldCode } from '@keyport/core/product-code';
import { CIPHER, KEY_SIZE_BYTES, NAME_OF, NONCE_SIZE_BYTES, TAG_SIZE_BYTES } from '../custody/envelope.ts';
import type { MasterKeys } from '../custody/master-keys.ts';
import type { Db, Tx } from '../db/schema.ts';
import {
  drawDataKeyId,
  drawStockKeyIds,
  insertDataKey,
  listDataKeys,
  type SealedKey,
} from './product-keys.sql.ts';

/** A leaked data key opens at most this many codes, imported within this time. */
const DATA_KEY_CODE_COUNT_MAX = 10_000;
const DATA_KEY_AGE_MAX_MS = 3_600_000;

const DATA_KEY_CACHE_SIZE_MAX = 10_000;

const BINDING_NAME = Buffer.from('keyport/stock-key/');
const OFFER_ID_SIZE_BYTES = 16;
const ROW_ID_SIZE_BYTES = 8;

export type NewCode = { readonly offerId: string; readonly code: string; readonly kind: 'text' | 'image' };

export type SealedCode = Pick<SealedKey, 'id' | 'offerId' | 'dataKeyId' | 'nonce' | 'ciphertext'>;

export type Custody = ReturnType<typeof createCustody>;

type DataKey = {
  readonly id: number;
  readonly key: KeyObject;
  readonly madeAtMs: number;
  /** Also the next nonce, so none repeats under this key. */
  codeCount: number;
};

export function createCustody(deps: {
  masterKeys: Pick<MasterKeys, 'wrap' | 'unwrap'>;
  codeMacKey: KeyObject;
  nowMs: () => number;
}) {
  const { masterKeys, codeMacKey, nowMs } = deps;
  const opened = new Map<number, KeyObject>();
  let current: DataKey | undefined;

  function remember(id: number, key: KeyObject): void {
    const [oldest] = opened.keys();
    if (opened.size >= DATA_KEY_CACHE_SIZE_MAX && oldest !== undefined) opened.delete(oldest);
    opened.set(id, key);
  }

  async function createDataKey(tx: Tx): Promise<DataKey> {
    const bytes = randomBytes(KEY_SIZE_BYTES);
    const id = await drawDataKeyId(tx);
    await insertDataKey(tx, { id, ...(await masterKeys.wrap(tx, bytes, NAME_OF.dataKey(id))) });
    return { id, key: createSecretKey(bytes), madeAtMs: nowMs(), codeCount: 0 };
  }

  async function openDataKeys(db: Db, ids: ReadonlySet<number>): Promise<Map<number, KeyObject>> {
    const keys = new Map<number, KeyObject>();
    for (const id of ids) {
      const key = opened.get(id);
      if (key !== undefined) keys.set(id, key);
    }
    const missing = [...ids].filter((id) => !keys.has(id));
    if (missing.length === 0) return keys;
    for (const { id, ...stored } of await listDataKeys(db, missing)) {
      const key = createSecretKey(await masterKeys.unwrap(stored, NAME_OF.dataKey(id)));
      keys.set(id, key);
      remember(id, key);
    }
    return keys;
  }

  return {
    /** In the codes' order. Stores a new data key in `tx` if one is due. */
    async sealCodes(tx: Tx, codes: readonly NewCode[]): Promise<SealedKey[]> {
      const usable = findUsable(current, codes.length, nowMs());
      const drawn = await drawStockKeyIds(tx, { count: codes.length, dataKeyId: usable?.id });
      // An invisible key's transaction is open or rolled back. Waiting for it could deadlock.
      const dataKey = usable !== undefined && drawn.isDataKeyVisible ? usable : await createDataKey(tx);
      current = dataKey;
      assert(drawn.ids.length === codes.length, 'every code has its id');
      return sealBatch({ codes, ids: drawn.ids, dataKey, codeMacKey });
    },

    codeMacs: (codes: readonly string[]) => codes.map((code) => computeMac(code, codeMacKey)),

    /** In the order of the rows. Throws if one was changed or moved. */
    async openCodes(db: Db, rows: readonly SealedCode[]): Promise<string[]> {
      const ids = new Set(rows.map(({ dataKeyId }) => dataKeyId));
      const keys = await openDataKeys(db, ids);
      return rows.map((row) => open(row, must(keys.get(row.dataKeyId), `the data key ${row.dataKeyId}`)));
    },
  };
}

/** A batch has one key, even if it exceeds the limit. */
function findUsable(current: DataKey | undefined, codeCount: number, nowMs: number): DataKey | undefined {
  if (current === undefined || nowMs - current.madeAtMs >= DATA_KEY_AGE_MAX_MS) return undefined;
  return current.codeCount + codeCount <= DATA_KEY_CODE_COUNT_MAX ? current : undefined;
}

function sealBatch(batch: {
  codes: readonly NewCode[];
  ids: readonly number[];
  dataKey: DataKey;
  codeMacKey: KeyObject;
}): SealedKey[] {
  const { codes, ids, dataKey, codeMacKey } = batch;
  const nonces = takeNonces(dataKey, codes.length);
  return codes.map(({ offerId, code, kind }, index) => {
    const id = must(ids[index], 'the id of a code');
    const nonce = nonces.subarray(index * NONCE_SIZE_BYTES, (index + 1) * NONCE_SIZE_BYTES);
    const cipher = createCipheriv(CIPHER, dataKey.key, nonce, { authTagLength: TAG_SIZE_BYTES });
    cipher.setAAD(toBinding(offerId, id));
    // In GCM, `final` only computes the tag.
    const encrypted = cipher.update(code, 'utf8');
    cipher.final();
    return {
      id,
      offerId,
      kind,
      dataKeyId: dataKey.id,
      nonce,
      ciphertext: Buffer.concat([encrypted, cipher.getAuthTag()]),
      codeMac: computeMac(code, codeMacKey),
    };
  });
}

function computeMac(code: string, codeMacKey: KeyObject): Buffer {
  return createHmac('sha256', codeMacKey).update(foldCode(code), 'utf8').digest();
}

function open(row: SealedCode, dataKey: KeyObject): string {
  try {
    assert(row.nonce.length === NONCE_SIZE_BYTES, 'a nonce has its full size');
    const tagStart = row.ciphertext.length - TAG_SIZE_BYTES;
    assert(tagStart >= 0, 'a tag has its full size');
    const decipher = createDecipheriv(CIPHER, dataKey, row.nonce, { authTagLength: TAG_SIZE_BYTES });
    decipher.setAAD(toBinding(row.offerId, row.id));
    decipher.setAuthTag(row.ciphertext.subarray(tagStart));
    const code = decipher.update(row.ciphertext.subarray(0, tagStart));
    decipher.final();
    return code.toString('utf8');
  } catch (cause) {
    throw new Error(`the product key ${row.id} does not open: it was changed or moved`, { cause });
  }
}

/** Only this process seals with the key, so counted nonces cannot repeat. */
function takeNonces(dataKey: DataKey, count: number): Buffer {
  const nonces = Buffer.alloc(count * NONCE_SIZE_BYTES);
  for (let index = 0; index < count; index += 1) {
    nonces.writeUInt32BE(dataKey.codeCount + index, (index + 1) * NONCE_SIZE_BYTES - 4);
  }
  dataKey.codeCount += count;
  return nonces;
}

/** Name, offer id (16 bytes), row id (8 bytes). */
function toBinding(offerId: string, id: number): Buffer {
  const offer = Buffer.from(offerId.replaceAll('-', ''), 'hex');
  assert(offer.length === OFFER_ID_SIZE_BYTES, 'an offer id is a UUID');
  const row = Buffer.alloc(ROW_ID_SIZE_BYTES);
  row.writeBigInt64BE(BigInt(id));
  return Buffer.concat([BINDING_NAME, offer, row]);
}
