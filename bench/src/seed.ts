/** Fills a running service through its operator interface, as an operator would. */
import { randomUUID } from 'node:crypto';

export const OPERATOR = { id: 'bench-operator', secret: 'bench-operator-secret' };

export function createSeeder(url: string) {
  let operatorToken: string | undefined;

  async function token(clientId: string, clientSecret: string): Promise<string> {
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
    const { access_token } = await response.json();
    return access_token;
  }

  async function operate(path: string, body: BodyInit, contentType: string) {
    operatorToken ??= await token(OPERATOR.id, OPERATOR.secret);
    const response = await fetch(`${url}/admin/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': contentType },
      body,
    });
    const answer = await response.json();
    if (!response.ok || answer.data.rejected > 0)
      throw new Error(`${path}: ${JSON.stringify(answer).slice(0, 500)}`);
    return answer.data;
  }

  const post = (path: string, body: object) => operate(path, JSON.stringify(body), 'application/json');
  const load = (kind: string, lines: readonly object[]) =>
    operate(`/imports/${kind}`, lines.map((line) => JSON.stringify(line)).join('\n'), 'application/x-ndjson');

  return {
    operatorToken: () => token(OPERATOR.id, OPERATOR.secret),
    /** Products with `offersEach` offers of `stockEach` keys; returns the ids of the offers in order. */
    async catalogue(size: {
      readonly products: number;
      readonly offersEach: number;
      readonly stockEach: number;
    }) {
      const sellerId = randomUUID();
      await load('sellers', [{ id: sellerId, name: 'Bench seller' }]);
      const products = Array.from({ length: size.products }, (_, index) => ({
        id: String(10_000_000_000_000 + index),
        name: `Iron Meridian ${index}: Deluxe Edition (PC) Key EUROPE`,
        checkoutClass: 'standard',
      }));
      await load('products', products);
      const offers = products.flatMap((product, index) =>
        Array.from({ length: size.offersEach }, (_, offerIndex) => ({
          id: randomUUID(),
          productId: product.id,
          sellerId,
          price: `${5 + (index % 40)}.${10 + offerIndex}`,
          status: 'active',
        })),
      );
      await load('offers', offers);
      const keys = offers.flatMap((offer) => newKeys(offer.id, size.stockEach));
      for (let start = 0; start < keys.length; start += 50_000)
        await load('keys', keys.slice(start, start + 50_000));
      return offers;
    },
    /** More keys for one offer. */
    stock: (offerId: string, count: number) => load('keys', newKeys(offerId, count)),
    /** A reseller with a balance; returns its account and a token. */
    async reseller(): Promise<{ accountId: string; token: string }> {
      const account = await post('/accounts', { name: 'Bench', paymentMethod: 'balance' });
      await post(`/accounts/${account.id}/deposits`, { amount: '90000000.00', reference: randomUUID() });
      const client = await post(`/accounts/${account.id}/clients`, {});
      return { accountId: account.id, token: await token(client.clientId, client.clientSecret) };
    },
  };
}

function newKeys(offerId: string, count: number) {
  return Array.from({ length: count }, () => ({ offerId, code: randomUUID() }));
}
