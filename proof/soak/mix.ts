/** What resellers and the operator do all day, each as a request or a few, in realistic shares. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../packages/server/src/demo/random.ts';
import { cents } from '../../packages/server/test/support/order-recorder.ts';
import type { Caller, Reply, Sending } from './client.ts';
import type { Node } from './installation.ts';
import { type Observations, recordCodes, recordOrder, recordRejection } from './observations.ts';
import { fetchToken, newKeys, newPrice, type Offer, type Reseller, type Shop } from './shop.ts';

/** The actions in each cycle. */
const SHARES = {
  page: 30,
  poll: 12,
  product: 14,
  details: 4,
  order: 20,
  repeat: 3,
  keys: 8,
  history: 5,
  token: 2,
  price: 2,
} as const;
type Action = keyof typeof SHARES;

const DRAWN = Object.entries(SHARES) as [Action, number][];

/** Rejections that belong to trade: a price has risen, a unit was the last one, a concurrent duplicate is still in the cool-down. */
const REJECTIONS: Readonly<Partial<Record<Action, readonly string[]>>> = {
  order: ['offer-not-available', 'max-price-exceeded'],
  repeat: ['idempotency-key-processing'],
  product: ['product-not-found'],
};

/** Orders that are still remembered with their key and body, to be repeated and to have their codes read. */
const RECENT_MAX = 2_000;
const FOLLOWER_WAIT_SECONDS = 25;
const HANG_UP_SHARE = 0.02;
const UNKNOWN_TRIES_MAX = 20;

type Placed = {
  readonly key: string;
  readonly body: string;
  readonly reseller: Reseller;
  readonly orderId: string;
};

export type Mix = {
  /** Answers by action, status and code. */
  readonly counts: Map<string, number>;
  /** Answers that nothing explains, the first of them with their text. */
  readonly faults: string[];
  faultCount(): number;
  /** Does one action at a node drawn by lot. */
  act(): Promise<void>;
  /** Follows the change feed, again and again until the signal. */
  follow(pauseMs: number, signal: AbortSignal): Promise<void>;
  /** Puts back into stock what was sold since the last time. */
  restock(): Promise<void>;
  /** Repeats what got no response until it has one. */
  settle(): Promise<void>;
};

export function createMix(parts: {
  readonly caller: Caller;
  readonly nodes: readonly Node[];
  readonly shop: Shop;
  readonly observations: Observations;
  readonly random: Random;
}): Mix {
  const { caller, nodes, shop, observations, random } = parts;
  const counts = new Map<string, number>();
  const faults: string[] = [];
  const recent: Placed[] = [];
  const unknown = new Map<string, { readonly body: string; readonly reseller: Reseller }>();
  const tags = new Map<string, string>();
  let faultCount = 0;
  let placedCount = 0;
  let sold = new Map<string, number>();
  let polledFrom = new Date().toISOString();

  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const note = (fault: string) => {
    faultCount += 1;
    if (faults.length < 50) faults.push(fault);
  };
  const urlOfAny = () => random.pick(nodes).url;

  /** Sends, counts, and notes what should not have been answered. */
  async function send(action: string, path: string, sending: Sending): Promise<Reply> {
    const reply = await caller.send(urlOfAny(), path, sending);
    const code = reply.status >= 400 ? codeOf(reply) : '';
    count(`${action} ${reply.status}${code === '' ? '' : ` ${code}`}`);
    const isExpected =
      (reply.status >= 200 && reply.status < 400) || REJECTIONS[action as Action]?.includes(code);
    if (isExpected !== true) note(`${action} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
    return reply;
  }

  async function sendOrder(action: Action, key: string, body: string, reseller: Reseller): Promise<void> {
    const reply = await send(action, '/export/v1/orders', {
      method: 'POST',
      token: reseller.token,
      headers: { 'idempotency-key': key },
      body,
    });
    if (reply.status === 200 || reply.status === 201) {
      const { data } = JSON.parse(reply.text);
      recordOrder(observations, key, {
        id: data.id,
        accountId: reseller.accountId,
        totalMinor: cents(data.totalPrice),
      });
      unknown.delete(key);
      if (reply.status === 201) remember({ key, body, reseller, orderId: data.id }, data);
    } else if (reply.status === 400 || reply.status === 402) {
      recordRejection(observations, key);
      unknown.delete(key);
    } else if (reply.status !== 409 && typeof observations.orders.get(key) !== 'object') {
      observations.orders.set(key, 'unknown');
      unknown.set(key, { body, reseller });
    }
  }

  function remember(
    placed: Placed,
    data: { transactions: { items: { offer: { id: string }; quantity: { ordered: number } }[] }[] },
  ): void {
    recent[placedCount % RECENT_MAX] = placed;
    placedCount += 1;
    for (const { offer, quantity } of data.transactions.flatMap(({ items }) => items))
      sold.set(offer.id, (sold.get(offer.id) ?? 0) + quantity.ordered);
  }

  const read = (action: Action, path: string, headers: Readonly<Record<string, string>> = {}) =>
    send(action, path, { token: random.pick(shop.resellers).token, headers });

  const actions: Record<Action, () => Promise<unknown>> = {
    page: () => read('page', `/export/v1/product-offers?page=${random.between(1, 100)}&itemsPerPage=20`),
    async poll() {
      const from = polledFrom;
      polledFrom = new Date(Date.now() - 2_000).toISOString();
      await read('poll', `/export/v1/product-offers?updatedAtFrom=${from}&itemsPerPage=100`);
    },
    async product() {
      const { productId } = random.pick(shop.offers);
      const tag = tags.get(productId);
      const reply = await read(
        'product',
        `/export/v1/products/${productId}`,
        tag === undefined ? {} : { 'if-none-match': tag },
      );
      if (typeof reply.headers['etag'] === 'string') tags.set(productId, reply.headers['etag']);
    },
    details: () =>
      read(
        'details',
        `/export/v1/products?${Array.from({ length: 10 }, () => `productIds[]=${random.pick(shop.offers).productId}`).join('&')}`,
      ),
    order: () =>
      sendOrder(
        'order',
        randomUUID(),
        JSON.stringify({ items: [newItem(random, random.pick(shop.offers))] }),
        random.pick(shop.resellers),
      ),
    async repeat() {
      const placed = recent.length === 0 ? undefined : random.pick(recent);
      if (placed !== undefined) await sendOrder('repeat', placed.key, placed.body, placed.reseller);
    },
    async keys() {
      const placed = recent.length === 0 ? undefined : random.pick(recent);
      if (placed === undefined) return;
      const { orderId, reseller } = placed;
      const reply = await send('keys', `/export/v1/orders/${orderId}/keys`, { token: reseller.token });
      if (reply.status !== 200) return;
      const items: { keys: { code: string }[] }[] = JSON.parse(reply.text).data;
      recordCodes(
        observations,
        orderId,
        items.flatMap(({ keys }) => keys.map(({ code }) => code)),
      );
    },
    history: () =>
      read('history', `/export/v1/orders?page=${random.between(1, 5)}&itemsPerPage=20&status=complete`),
    async token() {
      const reseller = random.pick(shop.resellers);
      const { status, token } = await fetchToken(caller, urlOfAny(), reseller);
      count(`token ${status}`);
      if (token === undefined) note(`token: ${status}`);
      else reseller.token = token;
    },
    async price() {
      count('price');
      await shop.operator.operate('PATCH', `/offers/${random.pick(shop.offers).id}`, {
        price: newPrice(random),
      });
    },
  };

  return {
    counts,
    faults,
    faultCount: () => faultCount,
    async act() {
      const action = random.weighted(DRAWN);
      try {
        await actions[action]();
      } catch (error) {
        note(`${action}: ${error}`);
      }
    },
    async follow(pauseMs, signal) {
      let cursor = '';
      while (!signal.aborted) {
        // Some lose patience: what a request has taken up has to be let go when its caller is gone.
        const isHangingUp = random.chance(HANG_UP_SHARE);
        const hangUp = isHangingUp ? AbortSignal.any([signal, AbortSignal.timeout(20)]) : signal;
        const query = new URLSearchParams({
          limit: '1000',
          wait: String(FOLLOWER_WAIT_SECONDS),
          ...(cursor === '' ? {} : { cursor }),
        });
        const reply = await caller.send(urlOfAny(), `/export/v1/product-offers/changes?${query}`, {
          token: random.pick(shop.resellers).token,
          signal: hangUp,
        });
        if (hangUp.aborted) count('changes hung up');
        else if (reply.status === 200) cursor = JSON.parse(reply.text).meta.nextCursor;
        if (!hangUp.aborted) count(`changes ${reply.status}`);
        if (!hangUp.aborted && reply.status !== 200)
          note(`changes: ${reply.status} ${reply.text.slice(0, 300)}`);
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    },
    async restock() {
      const lines = [...sold].flatMap(([offerId, units]) => newKeys(offerId, units));
      sold = new Map();
      if (lines.length === 0) return;
      count('import');
      await shop.operator.load('keys', lines).catch((error: unknown) => note(`import: ${error}`));
    },
    async settle() {
      for (let tries = 0; unknown.size > 0 && tries < UNKNOWN_TRIES_MAX; tries += 1) {
        for (const [key, { body, reseller }] of unknown) await sendOrder('repeat', key, body, reseller);
        if (unknown.size > 0) await sleep(500);
      }
    },
  };
}

/** Two of three name an offer; most want one unit. */
function newItem(random: Random, { id, productId }: Offer): object {
  const quantity = random.chance(0.9) ? 1 : 2;
  const maxPrice = '100.00';
  return random.chance(0.67)
    ? { manual: { offerId: id, quantity, maxPrice } }
    : { auto: { productId, quantity, maxPrice } };
}

function codeOf({ text }: Reply): string {
  try {
    return JSON.parse(text).error.code;
  } catch {
    return '';
  }
}
