/** Measures operators' lists and searches over a million orders, products and audit entries, one request at a time. */
import { must } from '@keyport/core/assert';
import type { Request } from '@keyport/proof/load/http';
import { call, fetchToken, OPERATOR } from '@keyport/proof/load/operator';
import { openShop, type Shop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { seedCatalogue, toProductId } from './catalogue-seed.ts';
import { seedPastOrders, waitUntilCounted } from './past-orders.ts';
import { demand, median } from './report.ts';
import { startService } from './service.ts';

const SIZE = 1_000_000;
const SHOP = { products: 200, offersEach: 1, stockEach: 1, resellers: 50 };
const REQUESTS_EACH = 50;
const GOAL_MS = 100;

export async function benchOperatorLists(size = SIZE): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startService(postgres.url);
  try {
    const shop = await openShop(service.url, SHOP);
    const accountIds = shop.accounts.map(({ id }) => id);
    await seedPastOrders({ databaseUrl: postgres.url, accountIds, count: size, isReferred: true });
    await seedCatalogue(postgres.url, SHOP.products, size);
    await seedRest(postgres.url, must(accountIds[0], 'an account'), size);
    await waitUntilCounted(postgres.url);
    for (const [name, path] of Object.entries(await listPaths(service.url, shop, size)))
      await measure(service.url, name, () => ({ path }));
    for (const [name, toText] of Object.entries(await searchTexts(service.url, shop, size)))
      await measure(service.url, `search: ${name}`, (index) => ({
        path: '/search',
        method: 'POST',
        body: JSON.stringify({ query: toText(index) }),
      }));
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

/** Adds audit entries for key reads, distinct account names, and sellers. */
async function seedRest(databaseUrl: string, accountId: string, size: number): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(`UPDATE account SET name = 'Reseller ' || position`);
    await client.query(`UPDATE account SET name = 'Ácme Digital' WHERE id = $1`, [accountId]);
    await client.query(
      `INSERT INTO seller (id, name) SELECT gen_random_uuid(), 'Seller ' || n FROM generate_series(1, 5000) AS n`,
    );
    await client.query(
      `INSERT INTO audit_entry (at, client_id, action, account_id, order_id, trace_id)
      SELECT created_at + interval '1 minute', 'client', CASE WHEN id % 1000 = 0 THEN 'order.hold' ELSE 'keys.read' END,
        account_id, id, md5(id::text)
      FROM (SELECT * FROM "order" ORDER BY created_at, id LIMIT $1) AS orders`,
      [size],
    );
    await client.query('VACUUM (ANALYZE) audit_entry, account, seller, product');
  } finally {
    await client.end();
  }
}

type Answer = {
  readonly data: readonly { readonly id: string; readonly traceId?: string }[];
  readonly meta: { readonly nextCursor: string | null };
};

async function ask(url: string, path: string): Promise<Answer> {
  const response = await call(url, { path: `/admin/v1${path}`, token: await fetchToken(url, OPERATOR) });
  if (response.status !== 200) throw new Error(`${path}: ${response.text()}`);
  return response.json();
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns paths by the name of their result. */
async function listPaths(url: string, shop: Shop, size: number): Promise<Record<string, string>> {
  const offer = must(shop.offers[7], 'an offer');
  const accountId = must(shop.accounts[3], 'an account').id;
  const [order] = (await ask(url, `/orders?limit=1&accountId=${accountId}&status=complete`)).data;
  const orderId = must(order, 'an order').id;
  const [entry] = (await ask(url, `/audit?limit=1&orderId=${orderId}`)).data as readonly {
    readonly traceId?: string;
  }[];
  const farOrders = (await ask(url, '/orders?limit=1000')).meta.nextCursor;
  const farProducts = (await ask(url, '/products?limit=1000')).meta.nextCursor;
  const rare = size - 77;
  return {
    sellers: '/sellers?limit=50',
    'sellers, by name, words': '/sellers?limit=50&query=seller&sort=name',
    products: '/products?limit=50',
    'products, a later page': `/products?limit=1000&cursor=${farProducts}`,
    'products, by name': '/products?limit=50&sort=name',
    'products, a word in one name': `/products?limit=50&query=${rare}`,
    'products, two words in one name': `/products?limit=50&query=meridian+${rare}`,
    'products, a prefix of 1 %': '/products?limit=50&query=47',
    'products, by name, a prefix of 1 %': '/products?limit=50&query=47&sort=name',
    'products, a word in all names': '/products?limit=50&query=meridian',
    'products, no match': '/products?limit=50&query=zzz',
    'products, a class without products': '/products?limit=50&checkoutClass=esim',
    'product, by id': `/products?limit=50&query=${toProductId(rare)}`,
    offers: '/offers?limit=50',
    'offers, of a product': `/offers?limit=50&productId=${toProductId(rare)}&sort=price`,
    'offers, a word of one product': `/offers?limit=50&query=${rare}`,
    'offers, low stock': '/offers?limit=50&quantityMax=1',
    accounts: '/accounts?limit=50&sort=name',
    'accounts, words': '/accounts?limit=50&query=acme',
    clients: '/clients?limit=50',
    statements: '/books/statements?limit=50',
    orders: '/orders?limit=50',
    'orders, a later page': `/orders?limit=1000&cursor=${farOrders}`,
    'orders, held, oldest first': '/orders?limit=50&status=held&sort=ASC',
    'orders, of an account': `/orders?limit=50&accountId=${accountId}`,
    'orders, of accounts by words': '/orders?limit=50&query=acme',
    'orders, words of one product': `/orders?limit=50&query=meridian+${rare}`,
    'orders, words of 10 % of products': '/orders?limit=50&query=meridian+7',
    'orders, a word of all products': '/orders?limit=50&query=meridian',
    'orders, a word of all sellers': '/orders?limit=50&query=seller',
    'orders, no match': '/orders?limit=50&query=zzz',
    'orders, by 12 digits of an id': `/orders?limit=50&query=${orderId.slice(0, 12)}`,
    'orders, by 4 digits of an id': `/orders?limit=50&query=${orderId.slice(0, 4)}`,
    'orders, of a product': `/orders?limit=50&productId=${offer.productId}`,
    'orders, of an offer': `/orders?limit=50&offerId=${offer.id}`,
    'orders, of a product and an account': `/orders?limit=50&productId=${offer.productId}&accountId=${accountId}`,
    'orders, of a seller that sold nothing': `/orders?limit=50&sellerId=${accountId}`,
    'order, by id': `/orders?limit=50&query=${orderId}`,
    'order, by the trace of its request': `/orders?limit=50&query=${must(order?.traceId, 'a trace id')}`,
    'order, by the trace of a read of keys': `/orders?limit=50&query=${must(entry?.traceId, 'a trace id')}`,
    'order, by 8 characters of a trace': `/orders?limit=50&query=${must(entry?.traceId, 'a trace id').slice(0, 8)}`,
    'order, by 8 characters that no trace has': '/orders?limit=50&query=0a0b0c0d',
    'orders, a total that none has': '/orders?limit=50&totalFrom=999999.00',
    'orders, refunded': '/orders?limit=50&refunded=true',
    'report of a year, by day': `/reports/sales?by=day&from=${dayBefore(364)}`,
    'report of a year, by account': `/reports/sales?by=account&from=${dayBefore(364)}`,
    'report of a year, by product': `/reports/sales?by=product&from=${dayBefore(364)}`,
    'report of a year, of a product': `/reports/sales?dimension=product&id=${offer.productId}&from=${dayBefore(364)}`,
    incidents: '/incidents?limit=50',
    audit: '/audit?limit=50',
    'audit, without reads of keys': '/audit?limit=50&actionsOnly=true',
    'audit, a client that did nothing': '/audit?limit=50&clientId=nobody',
    imports: '/imports?limit=50',
    payments: '/payments?limit=50',
    'webhook endpoints': '/webhook-endpoints?limit=50',
  };
}

/** Returns different texts of each kind. */
async function searchTexts(
  url: string,
  shop: Shop,
  size: number,
): Promise<Record<string, (index: number) => string>> {
  const orders = (await ask(url, `/orders?limit=${REQUESTS_EACH}`)).data;
  const { id: anId } = must(orders[0], 'an order');
  const spread = (index: number) => Math.floor(((index + 0.5) * size) / REQUESTS_EACH);
  return {
    'orders, by their id': (index) => orders[index % orders.length]?.id ?? '',
    'orders, by 2 to 16 digits': (index) => anId.slice(0, 2 + (index % 15)),
    'orders, by their trace': (index) => orders[index % orders.length]?.traceId ?? '',
    'orders, by an unknown key': () => crypto.randomUUID(),
    'orders, by part of a reference': (index) => String(spread(index) * 7919),
    'orders, by a common part': (index) => `shop ${index}`,
    'products, by a word in one name': (index) => String(spread(index)),
    'products, by a common word': (index) => `meridian ${index}`,
    'product, by its id': (index) => toProductId(spread(index)),
    'accounts, by words': (index) => `reseller ${index}`,
    'accounts, by their id': (index) => shop.accounts[index % shop.accounts.length]?.id ?? '',
    'sellers, by words': (index) => `seller ${index}`,
    'offers, by 8 characters': (index) => shop.offers[index]?.id.slice(0, 8) ?? '',
    'claims, by their id': (index) => `clm_${index}`,
    nothing: (index) => `zzz ${index}`,
  };
}

async function measure(url: string, name: string, toRequest: (index: number) => Request): Promise<void> {
  const token = await fetchToken(url, OPERATOR);
  const times: number[] = [];
  for (let index = 0; index < REQUESTS_EACH; index += 1) {
    const request = toRequest(index);
    const startedAt = performance.now();
    const response = await call(url, { ...request, path: `/admin/v1${request.path}`, token });
    times.push(performance.now() - startedAt);
    if (response.status !== 200) throw new Error(`${name}: ${response.text()}`);
  }
  demand(name, median(times), { atMost: GOAL_MS }, ' ms');
}
