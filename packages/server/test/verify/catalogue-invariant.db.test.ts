/** I66 compares the catalogue in memory with the database, except for products that have just changed. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { foldStamps } from '../../src/catalogue/catalogue-clock.sql.ts';
import { sql } from '../../src/db/sql.ts';
import { runTransaction } from '../../src/db/transaction.ts';
import { auto } from '../support/harness.ts';
import { startTwoNodes } from '../support/two-nodes.ts';
import { wholeFile } from '../support/vitest.ts';

const { h, nodes } = await startTwoNodes(wholeFile);

const ids: string[] = [];
beforeAll(async () => {
  for (let index = 0; index < 5; index += 1) {
    const productId = await h.seed.product();
    await h.seed.offer({ productId, price: '10.00', stock: 3 });
    await h.seed.offer({ productId, price: '12.00', stock: 2 });
    ids.push(productId);
  }
  const { productId, offerId, sellerId } = await h.seed.listing();
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '10.00', status: 'paused' });
  ids.push(productId);
});

async function compare(node = h.service) {
  const results = await node.verify();
  const result = results.find(({ id }) => id === 'I66');
  ok(result !== undefined);
  return result;
}

/** Each damages one product behind the feed's back and repairs it; `said` is the expected report. */
const DAMAGES: readonly { name: string; damage: string; repair: string; said: string }[] = [
  {
    name: 'a different price',
    damage: 'UPDATE offer SET price_minor = price_minor + 1 WHERE product_id = $2',
    repair: 'UPDATE offer SET price_minor = price_minor - 1 WHERE product_id = $2',
    said: 'product $2 differs from the database',
  },
  {
    name: 'a different name',
    damage: `UPDATE product SET name = name || '!' WHERE id = $2`,
    repair: `UPDATE product SET name = rtrim(name, '!') WHERE id = $2`,
    said: 'product $2 differs from the database',
  },
  {
    name: 'different details',
    damage: 'UPDATE product SET details_version = details_version + 1 WHERE id = $2',
    repair: 'UPDATE product SET details_version = details_version - 1 WHERE id = $2',
    said: 'product $2 differs from the database',
  },
  {
    name: 'one offer fewer',
    damage: `UPDATE offer SET status = 'paused' WHERE product_id = $2 AND price_minor = 1200`,
    repair: `UPDATE offer SET status = 'active' WHERE product_id = $2`,
    said: 'product $2 differs from the database',
  },
  {
    name: 'one offer more',
    damage: `UPDATE offer SET status = 'active' WHERE product_id = $6`,
    repair: `UPDATE offer SET status = 'paused' WHERE product_id = $6`,
    said: 'product $6 differs from the database',
  },
  {
    name: 'a different stamp',
    damage: `UPDATE product_stamp SET stamp = stamp - interval '1 microsecond' WHERE product_id = $2`,
    repair: `UPDATE product_stamp SET stamp = stamp + interval '1 microsecond' WHERE product_id = $2`,
    said: 'product $2 was changed at .*Z, but the memory has its version of .*Z',
  },
  {
    name: 'one product fewer',
    damage: `CREATE TABLE damaged AS SELECT * FROM product_stamp WHERE product_id = $2;
      DELETE FROM product_stamp WHERE product_id = $2`,
    repair: 'INSERT INTO product_stamp SELECT * FROM damaged; DROP TABLE damaged',
    said: 'product $2 is in memory only',
  },
  {
    name: 'one product more',
    damage: `INSERT INTO product (id, name, checkout_class, details) VALUES (99999999999999, 'More', 'standard', '{}');
      INSERT INTO product_stamp (product_id, stamp, first_stamp) SELECT 99999999999999, stamp, stamp
      FROM (SELECT min(stamp) - interval '1 second' AS stamp FROM product_stamp) AS early`,
    repair:
      'DELETE FROM product_stamp WHERE product_id = 99999999999999; DELETE FROM product WHERE id = 99999999999999',
    said: 'product 99999999999999 is not in memory',
  },
  {
    name: 'a different order',
    damage: swapFirstStamps(),
    repair: swapFirstStamps(),
    said: 'product $3 is on the wrong side of product $2',
  },
];

function swapFirstStamps(): string {
  return `UPDATE product_stamp SET first_stamp = other.first_stamp FROM product_stamp AS other
    WHERE product_stamp.product_id IN ($2, $3) AND other.product_id IN ($2, $3)
      AND other.product_id <> product_stamp.product_id`;
}

const naming = (text: string) => text.replace(/\$(\d)/g, (_, place) => ids[Number(place) - 1] ?? '');

async function run(statements: string): Promise<void> {
  for (const statement of naming(statements).split(';')) await sql.raw(statement).execute(h.database.db);
}

test('nothing differs after changes, and every product was compared', async () => {
  const { checked, broken, examples } = await compare();
  deepEqual([checked, broken, examples], [ids.length, 0, []]);
});

for (const { name, damage, repair, said } of DAMAGES) {
  test(`every node reports ${name} in the database than in memory`, async () => {
    await h.seed.inStep();
    await nodes[1].catalogueInStep();
    await runTransaction(h.database, {}, (tx) => foldStamps(tx, 1000));
    await run(damage);
    const found = await Promise.all([compare(nodes[0]), compare(nodes[1])]);
    await run(repair);
    for (const { broken, examples } of found) {
      deepEqual([broken, examples.length], [1, 1], examples.join('\n'));
      match(examples[0] ?? '', new RegExp(`^${naming(said)}$`));
    }
    equal((await compare()).broken, 0);
  });
}

test('reports nothing while products change, sell out and come back on both nodes', async () => {
  const reseller = await h.seed.reseller({ balance: '10000.00' });
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '10.00', stock: 1 });
  let isDone = false;
  const writers = nodes.map(async (node, index) => {
    for (let round = 0; !isDone; round += 1) {
      await reseller.at(node.url).order(auto(productId));
      await h.seed.keys(offerId, 1);
      const price = `${10 + index + (round % 5)}.00`;
      await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status: 'active' });
      await h.seed.listing({ price: '5.00', stock: 1 });
    }
  });
  const found: Awaited<ReturnType<typeof compare>>[] = [];
  for (let count = 0; count < 12; count += 1) found.push(await compare(nodes[count % 2]));
  isDone = true;
  await Promise.all(writers);
  deepEqual(
    found.flatMap(({ examples }) => examples),
    [],
  );
  const last = await compare();
  ok(last.checked > (found[0]?.checked ?? 0), 'products were added since');
});
