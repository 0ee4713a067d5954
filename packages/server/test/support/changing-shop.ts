/**
 * Writers change the catalogue at random through all nodes; plain SQL gives the expected list of products.
 */
import { equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/engines/database.ts';
import { sql } from '../../src/db/sql.ts';
import { type ApiResponse, auto, type Harness } from './harness.ts';
import type { Random } from './random.ts';

export type ShownProduct = {
  readonly id: string;
  readonly name: string;
  readonly totalQuantity: number;
  readonly minPrice: string;
  readonly updatedAt: string;
  readonly offers: readonly { readonly id: string; readonly price: string; readonly quantity: number }[];
  readonly currency: string;
};

export type ChangingShop = {
  /** Several callers may call this concurrently. */
  change(count: number, random: Random): Promise<void>;
};

type ShopOffer = {
  readonly id: string;
  readonly productId: string;
  readonly sellerId: string;
};

/** A write succeeds, is rejected by a business rule, or conflicts with another writer. */
const OUTCOMES = [200, 201, 400, 409];

export async function openShop(
  h: Harness,
  options: { readonly urls: readonly string[]; readonly productCount: number; readonly random: Random },
): Promise<ChangingShop> {
  const { urls } = options;
  const sellerId = await h.seed.seller();
  const buyer = await h.seed.reseller({ balance: '1000000.00' });
  const offers: ShopOffer[] = [];
  let codeCount = 0;

  const operate = async (random: Random, method: string, path: string, body: unknown) => {
    const options = { token: h.operatorToken, body, headers: { 'idempotency-key': randomUUID() } };
    return check(await h.callAt(random.pick(urls), method, `/admin/v1${path}`, options));
  };

  const addKeys = (random: Random, offer: ShopOffer, count: number) => {
    const keys = Array.from({ length: count }, () => {
      codeCount += 1;
      return { code: `SHOP-${String(codeCount).padStart(8, '0')}`, kind: 'text' };
    });
    return operate(random, 'POST', `/offers/${offer.id}/keys`, { keys });
  };

  const putOffer = (random: Random, { id, ...offer }: ShopOffer, status = 'active') =>
    operate(random, 'PUT', `/offers/${id}`, { ...offer, price: toPrice(random), status });

  const addOffer = async (random: Random, productId: string) => {
    const offer = { id: randomUUID(), productId, sellerId };
    await putOffer(random, offer);
    if (random.chance(0.9)) await addKeys(random, offer, random.between(1, 4));
    offers.push(offer);
  };

  const actions: readonly (readonly [(random: Random, offer: ShopOffer) => Promise<unknown>, number])[] = [
    [(random, offer) => putOffer(random, offer), 5],
    [(random, offer) => putOffer(random, offer, 'paused'), 3],
    [(random, offer) => addKeys(random, offer, random.between(1, 3)), 3],
    [
      (random, offer) =>
        operate(random, 'POST', `/offers/${offer.id}/keys/withdraw`, { reason: 'test', quantity: 1 }),
      2,
    ],
    [
      async (random, { productId }) => {
        const item = auto(productId, { quantity: random.between(1, 3) });
        check(await buyer.at(random.pick(urls)).order(item));
      },
      5,
    ],
    [
      (random, { productId }) =>
        operate(random, 'PUT', `/products/${productId}`, {
          name: `Product ${random.code('????')}`,
          checkoutClass: 'standard',
        }),
      1,
    ],
    [(random, { productId }) => addOffer(random, productId), 1],
    [async (random) => addOffer(random, await h.seed.product()), 1],
    // This transaction gets many stamps.
    [(random) => reprice(random, random.shuffled(offers).slice(0, random.between(2, 60))), 1],
  ];

  async function reprice(random: Random, chosen: readonly ShopOffer[]): Promise<void> {
    const lines = chosen.map((offer) => ({ ...offer, price: toPrice(random), status: 'active' }));
    const response = await h.callAt(random.pick(urls), 'POST', '/admin/v1/imports/offers', {
      token: h.operatorToken,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    equal(response.status, 200);
  }

  for (let count = 0; count < options.productCount; count += 1)
    await addOffer(options.random, await h.seed.product());
  return {
    async change(count, random) {
      for (let done = 0; done < count; done += 1) await random.weighted(actions)(random, random.pick(offers));
    },
  };
}

function toPrice(random: Random): string {
  return `${random.between(1, 30)}.${String(random.between(0, 99)).padStart(2, '0')}`;
}

function check(response: ApiResponse): ApiResponse {
  ok(OUTCOMES.includes(response.status), JSON.stringify(response.body));
  return response;
}

/** From now on some transactions pause between their writes and their stamps, and before the commit. */
export async function slowDownTransactions(database: Database, longestMs: number): Promise<void> {
  const client = await database.connect();
  try {
    await client.query(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF random() < 0.25 THEN PERFORM pg_sleep(random() * ${longestMs} / 1000.0); END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER dawdle_after_write AFTER INSERT OR UPDATE ON offer FOR EACH STATEMENT EXECUTE FUNCTION dawdle();
      CREATE CONSTRAINT TRIGGER dawdle_before_commit AFTER INSERT ON change_log
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dawdle()`);
  } finally {
    client.release();
  }
}

export async function readListedProducts(database: Database): Promise<ShownProduct[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    updatedAt: string;
    offers: { id: string; minor: number; quantity: number }[];
  }>`
    SELECT product.id::text, product.name,
      to_char(stamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt",
      json_agg(json_build_object('id', offer.id, 'minor', price_minor, 'quantity', available_text + available_image)
        ORDER BY price_minor, available_text + available_image DESC, offer.id) AS offers
    FROM product JOIN stamped_product ON product_id = product.id JOIN offer ON offer.product_id = product.id
    WHERE offer.status = 'active' AND available_text + available_image > 0
    GROUP BY product.id, stamp ORDER BY product.id`.execute(database.db);
  return rows.map(({ id, name, updatedAt, offers }) => {
    const shown = offers.map((offer) => ({
      id: offer.id,
      price: (offer.minor / 100).toFixed(2),
      quantity: offer.quantity,
    }));
    return {
      id,
      name,
      totalQuantity: shown.reduce((sum, { quantity }) => sum + quantity, 0),
      minPrice: shown[0]?.price ?? '',
      updatedAt,
      offers: shown.slice(0, 3),
      currency: 'EUR',
    };
  });
}
