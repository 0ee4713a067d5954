import { Keyport, KeyportError } from '@keyport/sdk';
import { CatalogueMirror, createOrderOnce } from '@keyport/sdk/node';

const { KEYPORT_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
const keyport = new Keyport({ baseUrl, clientId, clientSecret });

const catalogue = new CatalogueMirror(keyport, 'catalogue.ndjson');
await catalogue.sync();
const [cheapest] = [...catalogue.products.values()].sort((one, other) => one.minPrice - other.minPrice);
if (cheapest === undefined) throw new Error('nothing is on offer');
console.log(`${catalogue.products.size} products`);

async function buy(purchase, item) {
  try {
    return await createOrderOnce(keyport, `${purchase}.json`, item);
  } catch (error) {
    if (error instanceof KeyportError && error.is('offer-not-available')) {
      console.log(`only ${error.data.availableQuantity} left`);
    }
    throw error;
  }
}

const item = { auto: { productId: cheapest.id, quantity: 1, maxPrice: cheapest.minPrice } };
let order = await buy('purchase-1', item);

const ENDS = ['order.complete', 'order.canceled', 'order.closed', 'order.held'];

if (['pending', 'pending_payment', 'processing'].includes(order.status)) {
  for await (const { data } of keyport.events.list({ types: ENDS, wait: 25 })) {
    if (data.order.id !== order.id) continue;
    order = data.order;
    break;
  }
}
console.log(`order ${order.id} is ${order.status}`);
if (order.status === 'complete') {
  const items = await keyport.orders.keys(order.id);
  console.log(`keys: ${items.flatMap(({ keys }) => keys.map(({ code }) => code)).join(', ')}`);
}
