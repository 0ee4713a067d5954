import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { wholeFile } from '../../test/support/vitest.ts';
import { type Database, dbOver } from '../db/engines/database.ts';
import { sql } from '../db/sql.ts';
import { runTransaction } from '../db/transaction.ts';
import { insertAudit } from './append-audit.sql.ts';
import { beginChain, checkChain, parseAnchor } from './chain.ts';
import { AuditSealer } from './sealer.ts';

const ENTRY_COUNT = 12;

const database = await testDatabase(wholeFile);

for (const [title, statements, expected] of [
  [
    'the first entry removed',
    ['DELETE FROM audit_entry WHERE id = 1'],
    /^entry 1 \(position 1\) is missing$/,
  ],
  ['an entry in the middle removed', ['DELETE FROM audit_entry WHERE id = 6'], /^entry 6 .* is missing$/],
  ['the newest entry removed', ['DELETE FROM audit_entry WHERE id = 12'], /^entry 12 .* is missing$/],
  [
    'the first entry removed with its place in the chain',
    ['DELETE FROM audit_entry WHERE id = 1', 'DELETE FROM audit_seal WHERE position = 1'],
    /^positions 1 to 1 of the chain are missing$/,
  ],
  [
    'an entry in the middle removed with its place in the chain',
    ['DELETE FROM audit_entry WHERE id = 6', 'DELETE FROM audit_seal WHERE position = 6'],
    /^positions 6 to 6 /,
  ],
  [
    'the newest entry removed with its place in the chain',
    ['DELETE FROM audit_entry WHERE id = 12', 'DELETE FROM audit_seal WHERE position = 12'],
    /^the chain ends at position 11, but its head is at position 12$/,
  ],
  [
    'the newest entry removed and the head set back to the previous entry',
    [
      'DELETE FROM audit_entry WHERE id = 12',
      'DELETE FROM audit_seal WHERE position = 12',
      'UPDATE audit_head SET position = 11, mac = (SELECT mac FROM audit_seal WHERE position = 11)',
    ],
    /^the head of the chain was changed$/,
  ],
  [
    'the newest entry and the head removed',
    [
      'DELETE FROM audit_entry WHERE id = 12',
      'DELETE FROM audit_seal WHERE position = 12',
      'DELETE FROM audit_head',
    ],
    /^the head of the chain is missing/,
  ],
  [
    'a gap closed by moving up everything after it',
    [
      'DELETE FROM audit_entry WHERE id = 6',
      'DELETE FROM audit_seal WHERE position = 6',
      'UPDATE audit_seal SET position = position + 1000 WHERE position > 6',
      'UPDATE audit_seal SET position = position - 1001 WHERE position > 1000',
    ],
    /^entry 7 \(position 6\) was changed or moved/,
  ],
  [
    'everything except the head removed',
    ['DELETE FROM audit_entry', 'DELETE FROM audit_seal'],
    /ends at position 0/,
  ],
  [
    'a client changed',
    [`UPDATE audit_entry SET client_id = 'other' WHERE id = 6`],
    /^entry 6 .* was changed/,
  ],
  ['an action changed', [`UPDATE audit_entry SET action = 'other' WHERE id = 1`], /^entry 1 .* was changed/],
  [
    'a time changed',
    [`UPDATE audit_entry SET at = at + interval '1 microsecond' WHERE id = 12`],
    /^entry 12 /,
  ],
  ['an account changed', ['UPDATE audit_entry SET account_id = gen_random_uuid() WHERE id = 3'], /^entry 3 /],
  ['an order removed from an entry', ['UPDATE audit_entry SET order_id = NULL WHERE id = 3'], /^entry 3 /],
  ['a trace id changed', [`UPDATE audit_entry SET trace_id = 'other' WHERE id = 3`], /^entry 3 /],
  ['a detail changed', [`UPDATE audit_entry SET data = data || '{"keys": 0}' WHERE id = 3`], /^entry 3 /],
  [
    'two entries with swapped contents',
    [
      `UPDATE audit_entry AS one SET data = other.data FROM audit_entry AS other
        WHERE (one.id, other.id) IN ((4, 9), (9, 4))`,
    ],
    /^entry 4 .*\nentry 9 /,
  ],
  [
    'two entries with swapped places in the chain',
    [
      'UPDATE audit_seal SET audit_entry_id = -audit_entry_id WHERE position IN (4, 9)',
      'UPDATE audit_seal SET audit_entry_id = 13 + audit_entry_id WHERE position IN (4, 9)',
    ],
    /^entry 9 \(position 4\) .*\nentry 4 \(position 9\) /,
  ],
  [
    'a hash changed',
    [`UPDATE audit_seal SET mac = sha256('other') WHERE position = 5`],
    /^entry 5 .*\nentry 6 .*or its hash was changed$/,
  ],
  [
    'an entry inserted outside the chain',
    [`INSERT INTO audit_entry (client_id, action) VALUES ('other', 'keys.read')`],
    /^entry 13 is neither in the chain nor waiting for it$/,
  ],
  [
    'a waiting entry removed',
    ['INSERT INTO audit_unsealed VALUES (13)'],
    /^entry 13 is neither in the chain/,
  ],
] as const) {
  test(`the check locates the change: ${title}`, async () => {
    const key = await chained();
    const before = await checkChain(database, key);
    deepEqual([before.checked, before.broken], [ENTRY_COUNT, 0]);
    await tamper(database, statements);
    const after = await checkChain(database, key);
    equal(after.broken, after.examples.length);
    match(after.examples.join('\n'), expected);
  });
}

test('no second valid chain can be built without the key', async () => {
  const key = await chained();
  const otherKey = createSecretKey(randomBytes(32));
  await tamper(database, [
    'DELETE FROM audit_entry WHERE id = 6',
    'DELETE FROM audit_seal',
    'DELETE FROM audit_head',
    'INSERT INTO audit_unsealed SELECT id FROM audit_entry',
  ]);
  await runTransaction(database, {}, (tx) => beginChain(tx, otherKey));
  await sealerOn(database, otherKey).sealAll();
  equal((await checkChain(database, otherKey)).broken, 0);
  equal((await checkChain(database, key)).broken, ENTRY_COUNT);
});

test('a database restore is detected only with an anchor noted before', async () => {
  const key = await chained();
  const { rows: kept } = await sql<{ position: number; mac: Buffer; proof: Buffer }>`
    SELECT position, mac, proof FROM audit_head`.execute(database.db);
  await insertEntries(database, 1);
  await sealerOn(database, key).sealAll();
  const anchor = parseAnchor((await checkChain(database, key)).head ?? '');
  equal(anchor?.position, ENTRY_COUNT + 1);
  ok(anchor !== undefined);
  equal((await checkChain(database, key, anchor)).broken, 0);
  await tamper(database, [
    'DELETE FROM audit_entry WHERE id = 13',
    'DELETE FROM audit_seal WHERE position = 13',
  ]);
  const [head] = kept;
  await sql`UPDATE audit_head SET position = ${head?.position}, mac = ${head?.mac}::bytea, proof = ${head?.proof}::bytea`.execute(
    database.db,
  );
  equal((await checkChain(database, key)).broken, 0);
  match(
    (await checkChain(database, key, anchor)).examples.join(),
    /no longer has the anchor's hash at position 13/,
  );
  await insertEntries(database, 1);
  await sealerOn(database, key).sealAll();
  equal((await checkChain(database, key, anchor)).broken, 1, 'another entry at that position does not match');
});

test('nothing is chained to a changed head, so that the check still finds the change', async () => {
  const key = await chained();
  await tamper(database, [
    'DELETE FROM audit_entry WHERE id = 12',
    'DELETE FROM audit_seal WHERE position = 12',
    'UPDATE audit_head SET position = 11, mac = (SELECT mac FROM audit_seal WHERE position = 11)',
  ]);
  await insertEntries(database, 1);
  await rejects(sealerOn(database, key).sealAll(), /head of the audit chain was changed or removed/);
  const { checked, examples } = await checkChain(database, key);
  deepEqual([checked, examples], [11, ['the head of the chain was changed']]);
});

test('a removed chain is not restarted over changed entries, even with the correct key', async () => {
  const key = await chained();
  await tamper(database, [
    `UPDATE audit_entry SET client_id = 'other' WHERE id = 6`,
    'DELETE FROM audit_seal',
    'DELETE FROM audit_head',
    'INSERT INTO audit_unsealed SELECT id FROM audit_entry',
  ]);
  await rejects(sealerOn(database, key).sealAll(), /head of the audit chain was changed or removed/);
  const { checked, examples } = await checkChain(database, key);
  deepEqual(
    [checked, examples],
    [0, ['the head of the chain is missing, and the newest entries may be too']],
  );
});

test('entries that commit out of id order, or never, leave no gap', async () => {
  const key = await chained();
  const sealer = sealerOn(database, key);
  const insert = (id: number) =>
    `WITH entry AS (
      INSERT INTO audit_entry (id, client_id, action) OVERRIDING SYSTEM VALUE VALUES (${id}, 'a', 'b')
    ) INSERT INTO audit_unsealed VALUES (${id})`;
  for (const id of [50, 20]) {
    await sql.raw(insert(id)).execute(database.db);
    await sealer.sealAll();
  }
  const { rows } = await sql<{ id: number }>`
    SELECT audit_entry_id AS id FROM audit_seal ORDER BY position OFFSET ${ENTRY_COUNT}`.execute(database.db);
  deepEqual(
    rows.map(({ id }) => id),
    [50, 20],
  );
  equal((await checkChain(database, key)).broken, 0);
});

test('concurrent sealers build one chain of all entries, even while new ones arrive', async () => {
  const key = await chained();
  const sealers = Array.from({ length: 4 }, () => sealerOn(database, key));
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await insertEntries(database, 5);
      await sealers[index % sealers.length]?.sealAll();
    }),
  );
  for (const sealer of sealers) await sealer.sealAll();
  const { checked, broken } = await checkChain(database, key);
  deepEqual([checked, broken], [ENTRY_COUNT + 200, 0]);
});

test('more entries than one transaction seals are chained in one run', async () => {
  const key = await chained();
  await insertEntries(database, 2500);
  await sealerOn(database, key).sealAll();
  const { checked, broken } = await checkChain(database, key);
  deepEqual([checked, broken], [ENTRY_COUNT + 2500, 0]);
});

test('a rolled-back entry leaves nothing to chain', async () => {
  const key = await chained();
  await runTransaction(database, {}, async (tx) => {
    await insertAudit(tx, { clientId: 'a', action: 'keys.add' });
    throw new Error('rolled back');
  }).catch(() => {});
  await sealerOn(database, key).sealAll();
  equal((await checkChain(database, key)).checked, ENTRY_COUNT);
});

async function chained() {
  await tamper(database, [
    'DELETE FROM audit_entry',
    'DELETE FROM audit_seal',
    'DELETE FROM audit_head',
    'DELETE FROM audit_unsealed',
    'ALTER SEQUENCE audit_entry_id_seq RESTART',
  ]);
  const key = createSecretKey(randomBytes(32));
  await runTransaction(database, {}, (tx) => beginChain(tx, key));
  await insertEntries(database, ENTRY_COUNT);
  await sealerOn(database, key).sealAll();
  return key;
}

async function insertEntries(database: Database, count: number): Promise<void> {
  await runTransaction(database, {}, async (tx) => {
    for (let index = 0; index < count; index += 1) {
      await insertAudit(tx, {
        clientId: 'reseller',
        action: 'keys.read',
        accountId: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
        orderId: '9007199254740999',
        traceId: 'trace',
        data: { keys: index + 1, items: ['1'], note: 'ü"\n' },
      });
    }
  });
}

/** Acts as a superuser could, without triggers and foreign keys. */
async function tamper(database: Database, statements: readonly string[]): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    for (const statement of statements) await sql.raw(statement).execute(dbOver(client));
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

function sealerOn(database: Database, key: ReturnType<typeof createSecretKey>): AuditSealer {
  return new AuditSealer({ database, key, log: pino({ level: 'silent' }) });
}
