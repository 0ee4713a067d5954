import { deepEqual, doesNotMatch, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { testMasterKeys } from '../../test/support/master-keys.ts';
import { wholeFile } from '../../test/support/vitest.ts';
import { sql } from '../db/sql.ts';
import { runTransaction } from '../db/transaction.ts';
import { insertSealedKeys, listDataKeys, type SealedKey } from './product-keys.sql.ts';
import { createCustody, type NewCode, type SealedCode } from './product-keys.ts';

const database = await testDatabase(wholeFile);
const masterKeys = testMasterKeys();
const codeMacKey = createSecretKey(randomBytes(32));
const HOUR_MS = 3_600_000;

await sql`INSERT INTO product (id, name, checkout_class, details) VALUES (10000000000017, 'Game', 'standard', '{}')`.execute(
  database.db,
);
const sellerId = randomUUID();
await sql`INSERT INTO seller (id, name) VALUES (${sellerId}, 'Seller')`.execute(database.db);
const [offerId, otherOfferId] = [await insertOffer(), await insertOffer()];

test('sealed codes of any characters and length can be opened, even on another node', async () => {
  const codes = ['AAAAA-BBBBB', '', 'ключ-🔑', 'x'.repeat(5_000)].map((code) => text(code));
  const rows = await seal(custodyAt(0), codes);
  deepEqual(
    await custodyAt(0).openCodes(database.db, rows),
    codes.map(({ code }) => code),
  );
});

test('a code with a flipped bit in its nonce, ciphertext or tag does not open', async () => {
  const custody = custodyAt(0);
  const [row] = await seal(custody, [text('AAAAA-BBBBB-CCCCC')]);
  ok(row !== undefined);
  for (const part of ['nonce', 'ciphertext'] as const) {
    for (let bit = 0; bit < row[part].length * 8; bit += 1) {
      await assertNotOpened({ ...row, [part]: flipBit(row[part], bit) }, `${part} bit ${bit}`);
    }
  }
});

test('a code does not open in another row, with another offer, or under another data key', async () => {
  const [row] = await seal(custodyAt(0), [text('AAAAA-BBBBB-CCCCC')]);
  const [foreign] = await seal(custodyAt(0), [text('DDDDD-EEEEE-FFFFF')]);
  ok(row !== undefined && foreign !== undefined);
  notEqual(row.dataKeyId, foreign.dataKeyId);
  await assertNotOpened({ ...row, id: row.id + 1 }, 'id');
  await assertNotOpened({ ...row, offerId: otherOfferId }, 'offer');
  await assertNotOpened({ ...row, dataKeyId: foreign.dataKeyId }, 'data key');
  await assertNotOpened({ ...row, dataKeyId: 999_999 }, 'no data key');
});

test('a code with a truncated tag or nonce does not open', async () => {
  const [row] = await seal(custodyAt(0), [text('AAAAA-BBBBB-CCCCC')]);
  ok(row !== undefined);
  for (let cut = 1; cut <= row.ciphertext.length; cut += 1) {
    await assertNotOpened({ ...row, ciphertext: row.ciphertext.subarray(0, -cut) }, `cut by ${cut}`);
  }
  const [empty] = await seal(custodyAt(0), [text('')]);
  ok(empty !== undefined);
  // Four bytes would be a valid short tag.
  await assertNotOpened({ ...empty, ciphertext: empty.ciphertext.subarray(0, 4) }, 'tag of 4 bytes');
  await assertNotOpened({ ...row, nonce: row.nonce.subarray(0, 11) }, 'nonce of 11 bytes');
});

test('the error for a code that does not open contains neither the code nor key material', async () => {
  const [row] = await seal(custodyAt(0), [text('SECRET-CODE')]);
  ok(row !== undefined);
  await rejects(custodyAt(0).openCodes(database.db, [{ ...row, id: row.id + 1 }]), (error: unknown) => {
    doesNotMatch(String(error) + JSON.stringify(error), /SECRET|[0-9a-f]{24}/);
    return true;
  });
});

test('one data key seals the batches of an hour, up to ten thousand codes, and uses no nonce twice', async () => {
  let nowMs = 0;
  const custody = createCustody({ masterKeys, codeMacKey, nowMs: () => nowMs });
  const batch = (count: number) => seal(custody, uniqueCodes(count));
  const rows = [...(await batch(6_000)), ...(await batch(4_000))];
  equal(new Set(rows.map(({ dataKeyId }) => dataKeyId)).size, 1);
  equal(new Set(rows.map(({ nonce }) => nonce.toString('hex'))).size, 10_000);
  equal(new Set(rows.map(({ id }) => id)).size, 10_000);
  const [next] = await batch(1);
  notEqual(next?.dataKeyId, rows[0]?.dataKeyId);
  nowMs = HOUR_MS - 1;
  equal((await batch(1))[0]?.dataKeyId, next?.dataKeyId);
  nowMs = HOUR_MS;
  notEqual((await batch(1))[0]?.dataKeyId, next?.dataKeyId);
});

test('a rolled-back data key is not used again', async () => {
  const custody = custodyAt(0);
  let lost: SealedKey[] = [];
  const failing = runTransaction(database, {}, async (tx) => {
    lost = await custody.sealCodes(tx, [text('first')]);
    throw new Error('rolled back');
  });
  await rejects(failing, /rolled back/);
  const rows = await seal(custody, [text('second')]);
  notEqual(rows[0]?.dataKeyId, lost[0]?.dataKeyId);
  equal(
    (
      await listDataKeys(
        database.db,
        rows.map(({ dataKeyId }) => dataKeyId),
      )
    ).length,
    1,
  );
});

test('several offers of one transaction share a data key', async () => {
  const custody = custodyAt(0);
  const rows = await runTransaction(database, {}, async (tx) => [
    ...(await custody.sealCodes(tx, uniqueCodes(2))),
    ...(await custody.sealCodes(tx, at(otherOfferId, uniqueCodes(2)))),
  ]);
  equal(new Set(rows.map(({ dataKeyId }) => dataKeyId)).size, 1);
});

test('a code is added to the stock once, even if the same or a later batch repeats it', async () => {
  const custody = custodyAt(0);
  const [one, two, three] = uniqueCodes(3).map(({ code }) => code);
  ok(one !== undefined && two !== undefined && three !== undefined);
  const insert = (codes: NewCode[], offer: string) =>
    runTransaction(database, {}, async (tx) =>
      insertSealedKeys(tx, await custody.sealCodes(tx, at(offer, codes))),
    );
  deepEqual(await insert([text(one), text(two), text(one), { ...text(three), kind: 'image' }], offerId), {
    added: 3,
    duplicates: 1,
    addedByOffer: [{ offerId, text: 2, image: 1 }],
  });
  deepEqual(await insert([text(two), text(` ${two.toUpperCase()}\n`), text(`${two}1`)], otherOfferId), {
    added: 1,
    duplicates: 2,
    addedByOffer: [{ offerId: otherOfferId, text: 1, image: 0 }],
  });
  deepEqual(await insert([], offerId), { added: 0, duplicates: 0, addedByOffer: [] });
});

test('the first of equal codes in a batch is stored, and the stored code opens', async () => {
  const custody = custodyAt(0);
  const [code] = uniqueCodes(1);
  ok(code !== undefined);
  const sealed = await runTransaction(database, {}, async (tx) => {
    const rows = await custody.sealCodes(tx, [code, code]);
    await insertSealedKeys(tx, rows.toReversed());
    return rows;
  });
  const { rows } = await sql<SealedCode>`
    SELECT id, offer_id AS "offerId", data_key_id AS "dataKeyId", nonce, ciphertext FROM stock_key
    WHERE id = ANY (${sealed.map(({ id }) => id)}::bigint[])`.execute(database.db);
  deepEqual(
    rows.map(({ id }) => id),
    [sealed[0]?.id],
  );
  deepEqual(await custodyAt(0).openCodes(database.db, rows), [code.code]);
});

test('concurrent imports of the same codes in opposite order add them once', async () => {
  const codes = uniqueCodes(200);
  const insert = (batch: NewCode[]) =>
    runTransaction(database, {}, async (tx) => insertSealedKeys(tx, await custodyAt(0).sealCodes(tx, batch)));
  const results = await Promise.all([insert(codes), insert(codes.toReversed()), insert(codes)]);
  equal(
    results.reduce((sum, { added }) => sum + added, 0),
    200,
  );
  equal(
    results.reduce((sum, { duplicates }) => sum + duplicates, 0),
    400,
  );
});

test('concurrent imports for two offers number the units of each without a gap', async () => {
  const codes = uniqueCodes(200);
  const insert = (batch: NewCode[], offer: string) =>
    runTransaction(database, {}, async (tx) =>
      insertSealedKeys(tx, await custodyAt(0).sealCodes(tx, at(offer, batch))),
    );
  const offers = [offerId, otherOfferId];
  const results = await Promise.all([insert(codes, offerId), insert(codes.toReversed(), otherOfferId)]);
  equal(
    results.reduce((sum, { added }) => sum + added, 0),
    200,
  );
  const { rows } = await sql<{ numbers: number[]; next: number; end: number }>`
    SELECT array_agg(number ORDER BY number) AS numbers, next_unit AS next, end_unit AS end
    FROM offer JOIN stock_key ON offer_id = offer.id AND kind = 'text'
    WHERE offer.id = ANY (${offers}::uuid[]) GROUP BY offer.id, next_unit, end_unit`.execute(database.db);
  equal(rows.length, 2);
  for (const { numbers, next, end } of rows) {
    deepEqual(
      numbers,
      numbers.map((_, index) => next + index),
    );
    equal(next + numbers.length, end);
  }
});

function custodyAt(nowMs: number) {
  return createCustody({ masterKeys, codeMacKey, nowMs: () => nowMs });
}

function seal(custody: ReturnType<typeof custodyAt>, codes: readonly NewCode[]): Promise<SealedKey[]> {
  return runTransaction(database, {}, (tx) => custody.sealCodes(tx, codes));
}

async function assertNotOpened(row: SealedCode, what: string): Promise<void> {
  await rejects(custodyAt(0).openCodes(database.db, [row]), Error, what);
}

function text(code: string): NewCode {
  return { offerId, code, kind: 'text' };
}

function at(otherOfferId: string, codes: readonly NewCode[]): NewCode[] {
  return codes.map((code) => ({ ...code, offerId: otherOfferId }));
}

function uniqueCodes(count: number): NewCode[] {
  return Array.from({ length: count }, () => text(randomUUID()));
}

function flipBit(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed;
}

async function insertOffer(): Promise<string> {
  const id = randomUUID();
  await sql`
    INSERT INTO offer (id, product_id, seller_id, price_minor, status)
    VALUES (${id}, 10000000000017, ${sellerId}, 1000, 'active')`.execute(database.db);
  return id;
}
