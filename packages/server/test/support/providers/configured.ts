import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import { readBooks } from '../books.ts';
import type { Owner } from '../database.ts';
import { type Harness, manual, startHarness } from '../harness.ts';
import { type Provider, startProvider } from './provider.ts';
import { GATEWAY_KEY, signedGateway } from './signed-gateway.ts';
import { STRIPE_TEST_KEY, stripeServer } from './stripe-server.ts';

export const ADAPTERS = ['http', 'stripe'] as const;

export type Adapter = (typeof ADAPTERS)[number];

/** Long enough for a response on a busy machine; every silent response costs a test this time. */
const TIMEOUT_MS = 1500;

export function startAdapterProvider(owner: Owner, adapter: Adapter): Promise<Provider> {
  return startProvider(owner, adapter === 'http' ? signedGateway : stripeServer());
}

export function providerSettings(adapter: Adapter, url: string): Record<string, string> {
  const common = { KEYPORT_GATEWAY: adapter, KEYPORT_GATEWAY_TIMEOUT_MS: String(TIMEOUT_MS) };
  return adapter === 'http'
    ? {
        ...common,
        KEYPORT_GATEWAY_URL: url,
        KEYPORT_GATEWAY_KEY_ID: GATEWAY_KEY.id,
        KEYPORT_GATEWAY_SECRET: GATEWAY_KEY.secret,
      }
    : { ...common, KEYPORT_GATEWAY_URL: url, KEYPORT_STRIPE_SECRET_KEY: STRIPE_TEST_KEY };
}

export type Payments = Awaited<ReturnType<typeof startPayments>>;

export async function startPayments(owner: Owner, adapter: Adapter, settings: Record<string, string> = {}) {
  const provider = await startAdapterProvider(owner, adapter);
  const h = await startHarness(owner, { ...providerSettings(adapter, provider.url), ...settings });
  return { h, provider, ...paymentTools(h, provider) };
}

function paymentTools(h: Harness, provider: Provider) {
  async function order(gatewayCustomer: string) {
    const reseller = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer } });
    const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
    const key = randomUUID();
    const response = await reseller.order(manual(offerId), key);
    const id: string = response.body.data?.id ?? response.body.error.data.orderId;
    return {
      id,
      reseller,
      response,
      code: response.status === 201 ? '201' : response.body.error.code,
      repeat: () => reseller.order(manual(offerId), key),
      status: async (): Promise<string> => (await reseller.get(`/orders/${id}`)).body.data.status,
      books: () => readBooks(h, { accountId: reseller.accountId, offerId }),
      operate: (action: string) => h.operate('POST', `/orders/${id}/${action}`, { reason: 'test' }),
    };
  }

  /**
   * Settles this order only, because failures of others would open the breaker. `isExpired` lets the time to
   * pay run out first.
   */
  async function settle({ id }: { id: string }, options: { isExpired?: boolean } = {}): Promise<void> {
    await sql`UPDATE gateway_payment SET
      next_check_at = CASE WHEN order_id = ${id}::bigint THEN now() ELSE now() + interval '1 day' END,
      expires_at = CASE WHEN order_id = ${id}::bigint AND ${options.isExpired ?? false} THEN now() ELSE expires_at END
      WHERE state = 'open'`.execute(h.database.db);
    // The first call may just wait for rounds already in progress.
    await h.service.runOrderWorker();
    await sql`UPDATE gateway_refund SET next_attempt_at = now() WHERE state = 'open'`.execute(h.database.db);
    await h.service.runOrderWorker();
  }

  /** Keeps the breaker closed after earlier failures. */
  async function calm(): Promise<void> {
    for (let count = 0; count < 4; count += 1) equal((await order('cus_ok')).code, '201');
  }

  /** Asserts that the order is delivered and paid once, or neither, and the books match the provider's. */
  async function assertConsistent(placed: Awaited<ReturnType<typeof order>>): Promise<void> {
    const status = await placed.status();
    const books = await placed.books();
    const kept = provider.books.takenMinor(placed.id) - provider.books.givenBackMinor(placed.id);
    if (status === 'complete') {
      deepEqual([kept, books.transfers, books.units], [1000, 1, { available: 1, sold: 1 }]);
    } else {
      equal(status, 'canceled');
      deepEqual([kept, books.units], [0, { available: 2 }]);
    }
    const { rows } = await sql`SELECT id FROM gateway_refund
      WHERE order_id = ${placed.id}::bigint AND state = 'open'`.execute(h.database.db);
    deepEqual(rows, [], 'no refund remains');
  }

  return { order, settle, calm, assertConsistent };
}
