import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keyport, KeyportError } from '@keyport/sdk';
import { CatalogueMirror, createOrderOnce } from '@keyport/sdk/node';

const { KEYPORT_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
const keyport = new Keyport({ baseUrl, clientId, clientSecret });

const catalogue = new CatalogueMirror(keyport, 'catalogue.ndjson', { orderable: true });
await catalogue.sync();
const [cheapest] = [...catalogue.products.values()].sort(
  (one, other) => Number(one.minPrice) - Number(other.minPrice),
);
if (cheapest === undefined) throw new Error('nothing is on offer');
console.log(`${catalogue.products.size} products`);

function decideOnce(file, choose) {
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, JSON.stringify(choose()));
    renameSync(`${file}.new`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function buy(purchase, item) {
  try {
    return await createOrderOnce(keyport, `${purchase}.json`, item);
  } catch (error) {
    if (error instanceof KeyportError && error.is('offer-not-available')) {
      console.log(`only ${error.data.availableQuantity} left`);
    }
    // A rejection ends the purchase: the next run chooses again.
    if (!existsSync(`${purchase}.json`)) rmSync(`${purchase}-item.json`, { force: true });
    throw error;
  }
}

const item = decideOnce('purchase-1-item.json', () => ({
  auto: { productId: cheapest.id, quantity: 1, maxPrice: cheapest.minPrice },
}));
const { id } = await buy('purchase-1', item);

let order = await keyport.orders.get(id);
while (['pending', 'pending_payment', 'processing', 'held'].includes(order.status)) {
  console.log(`order ${id} is ${order.status}`);
  // A held order waits for an operator.
  await sleep(order.status === 'held' ? 30_000 : 2000);
  order = await keyport.orders.get(id);
}
console.log(`order ${id} is ${order.status}`);
if (order.status === 'complete') {
  const items = await keyport.orders.keys(id);
  console.log(`keys: ${items.flatMap(({ keys }) => keys.map(({ code }) => code)).join(', ')}`);
}
