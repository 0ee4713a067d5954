/**
 * Reads: random pages of 20 out of 10,000 products, token checked, over real sockets, against a bare node:http server
 * that sends the same bytes.
 */
import { runLoad } from './load.ts';
import { portOf, startChild } from './processes.ts';
import { alternate, report } from './report.ts';
import { createSeeder, OPERATOR } from './seed.ts';

const PRODUCTS = 10_000;
const PAGE_SIZE = 20;
const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_MS = 3000;

export async function benchList(): Promise<void> {
  const service = await startChild('./serve.ts', {
    env: {
      KEYPORT_PORT: '0',
      KEYPORT_DATA_DIR: 'memory',
      KEYPORT_DEMO: 'false',
      KEYPORT_LOG_LEVEL: 'warn',
      KEYPORT_OPERATOR_ID: OPERATOR.id,
      KEYPORT_OPERATOR_SECRET: OPERATOR.secret,
    },
  });
  try {
    const seeder = createSeeder(service.url);
    await seeder.catalogue({ products: PRODUCTS, offersEach: 3, stockEach: 1 });
    const { token } = await seeder.reseller();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const head = (page: number) =>
      `GET /export/v1/product-offers?page=${page}&itemsPerPage=${PAGE_SIZE} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
    const response = await fetch(
      `${service.url}/export/v1/product-offers?page=250&itemsPerPage=${PAGE_SIZE}`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    );
    const body = await response.text();
    if (JSON.parse(body).meta.totalResults !== PRODUCTS) throw new Error('the catalogue is not complete');
    // Node writes these by itself, for both.
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
    );
    const bare = await startChild('./bare-server.ts', { message: { headers, body } });
    const pages = Array.from({ length: PRODUCTS / PAGE_SIZE }, (_, index) => head(index + 1));
    let next = 0;
    // A fixed stride visits every page in an order that no cache likes.
    const nextRequest = () => {
      next = (next + 211) % pages.length;
      return pages[next] ?? head(1);
    };
    const load = (url: string, durationMs: number) =>
      runLoad({ port: portOf(url), connectionCount: CONNECTIONS, durationMs, nextRequest });
    await load(service.url, 2000);
    await load(bare.url, 2000);
    const rounds = await alternate(ROUNDS, {
      ours: () => load(service.url, ROUND_MS),
      baseline: () => load(bare.url, ROUND_MS),
    });
    report(
      `Pages of ${PAGE_SIZE} out of ${PRODUCTS} products, ${CONNECTIONS} connections, ${body.length} bytes`,
      { baseline: 'bare node:http, same bytes', ours: 'Keyport' },
      rounds,
      0.6,
    );
    await bare.stop();
  } finally {
    await service.stop();
  }
}
