/** Resellers retry unknown outcomes with the same Idempotency-Key at any node. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../packages/server/test/support/random.ts';
import { Connections, type Request, type Response, toWire } from './http.ts';
import { fetchToken, importLines, operate, toPort } from './operator.ts';
import { CallRecord, type SentOrder } from './record.ts';
import { type Buyer, deposit, formatCents, newKeys, type Shop } from './shop.ts';

export type TrafficOptions = {
  readonly shop: Shop;
  /** Called before every request. */
  readonly urls: () => readonly string[];
  readonly shares: Readonly<Partial<Record<Action, number>>>;
  readonly timeoutMs: number;
  /** The audit resolves orders that were given up. */
  readonly repeatsMax: number;
  /** Callers then fetch new tokens. */
  readonly mayTokensExpire?: boolean;
};

export type Action = keyof ReturnType<typeof toActions>;

/** Recent orders are repeated, and their codes are read. */
const RECENT_MAX = 2_000;
const TOP_UP_CENTS = 50_00;
const RETRY_DELAY_MAX_MS = 400;
const NO_NODE_PAUSE_MS = 50;
const ORDER_PLACED_WITHIN_MS = 60_000;

type Waiter = {
  readonly sinceMs: number;
  readonly url: string | undefined;
  readonly resolve: (tookMs: number) => void;
};

type Answer = { readonly response: Response; readonly url: string; readonly sentAtMs: number };

export class Traffic {
  readonly record = new CallRecord();
  readonly options: TrafficOptions;
  readonly recent: SentOrder[] = [];
  readonly #connections = new Connections();
  readonly #actions = toActions(this);
  readonly #shares: readonly (readonly [Action, number])[];
  readonly #waiters = new Set<Waiter>();
  #sold = new Map<string, number>();
  #placedCount = 0;
  #isAbandoned = false;

  constructor(options: TrafficOptions) {
    this.options = options;
    this.#shares = Object.entries(options.shares) as [Action, number][];
  }

  async act(random: Random): Promise<void> {
    await this.#actions[random.weighted(this.#shares)](random);
  }

  /**
   * Resolves when an order sent from now on (to this node, if one is named) is acknowledged, with the
   * milliseconds that this took.
   */
  orderPlaced({
    url,
    withinMs = ORDER_PLACED_WITHIN_MS,
  }: {
    readonly url?: string | undefined;
    readonly withinMs?: number;
  } = {}): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiter = { sinceMs: performance.now(), url, resolve };
    const limit = setTimeout(() => {
      reject(
        new Error(`no order was acknowledged within ${withinMs} ms: ${JSON.stringify(this.record.counts)}`),
      );
    }, withinMs);
    this.#waiters.add(waiter);
    return promise.finally(() => {
      clearTimeout(limit);
      this.#waiters.delete(waiter);
    });
  }

  async call(random: Random, name: string, buyer: Buyer, request: Request): Promise<Answer | undefined> {
    const { record } = this;
    const { timeoutMs, mayTokensExpire } = this.options;
    const url = await this.#aNode(random);
    const sentAtMs = performance.now();
    const wire = toWire({ ...request, token: buyer.token });
    const response = await this.#connections.send(toPort(url), wire, { timeoutMs });
    // A load balancer returns its own page.
    const isAnswered =
      response.status === 304 || response.header('content-type')?.startsWith('application/json');
    record.count(`${name} ${isAnswered ? response.status : 'no response'}`);
    if (!isAnswered) return undefined;
    record.recordDuration(request.method ?? 'GET', performance.now() - sentAtMs);
    if (response.status === 401 && mayTokensExpire) {
      // If this fails, the next 401 leads here again.
      const token = await fetchToken(url, buyer.credentials, { timeoutMs }).catch(() => undefined);
      if (token === undefined) record.count('token failed');
      else buyer.token = token;
      return undefined;
    }
    return { response, url, sentAtMs };
  }

  async send(random: Random, sent: SentOrder): Promise<Response | undefined> {
    const wasPlaced = sent.outcome?.kind === 'ordered';
    const answer = await this.call(random, 'POST', sent.buyer, orderRequest(sent));
    if (answer === undefined) return undefined;
    const { response, url, sentAtMs } = answer;
    this.record.recordOrder(sent, response);
    if (sent.outcome?.kind === 'ordered' && !wasPlaced) this.#remember(sent);
    if (response.status < 300) {
      for (const { sinceMs, url: wanted, resolve } of this.#waiters)
        if (sentAtMs >= sinceMs && (wanted ?? url) === url) resolve(performance.now() - sinceMs);
    }
    return response;
  }

  async restock(random: Random, unitsMin = 1): Promise<void> {
    const sold = this.#sold;
    const units = [...sold.values()].reduce((sum, each) => sum + each, 0);
    if (units < unitsMin) return;
    this.#sold = new Map();
    const lines = [...sold].flatMap(([offerId, count]) => newKeys(offerId, count));
    const { timeoutMs } = this.options;
    await this.untilDone(random, 'import', (url) => importLines(url, 'keys', lines, { timeoutMs }));
  }

  async topUp(random: Random): Promise<void> {
    const { shop, timeoutMs } = this.options;
    const account = random.pick(shop.accounts.filter(({ isPoor }) => isPoor));
    const reference = randomUUID();
    await this.untilDone(random, 'deposit', (url) =>
      deposit(url, account, TOP_UP_CENTS, reference, { timeoutMs }),
    );
  }

  async untilDone(random: Random, name: string, action: (url: string) => Promise<unknown>): Promise<void> {
    while (!this.#isAbandoned) {
      try {
        await action(await this.#aNode(random));
        return;
      } catch {
        this.record.count(`${name} failed`);
      }
      await sleep(RETRY_DELAY_MAX_MS * random.unit());
    }
  }

  abandon(): void {
    this.#isAbandoned = true;
  }

  close(): void {
    this.#connections.close();
  }

  #remember(sent: SentOrder): void {
    this.recent[this.#placedCount % RECENT_MAX] = sent;
    this.#placedCount += 1;
    if (sent.outcome?.kind !== 'ordered') return;
    const { offer, quantity } = sent.outcome.order.amounts;
    this.#sold.set(offer, (this.#sold.get(offer) ?? 0) + quantity);
  }

  async #aNode(random: Random): Promise<string> {
    for (let nodes = this.options.urls(); ; nodes = this.options.urls()) {
      if (nodes.length > 0 || this.#isAbandoned) return random.pick(nodes);
      await sleep(NO_NODE_PAUSE_MS);
    }
  }
}

export function orderRequest({ key, item, buyer }: SentOrder): Request {
  return {
    method: 'POST',
    path: '/export/v1/orders',
    token: buyer.token,
    headers: { 'idempotency-key': key },
    body: JSON.stringify({ items: [item] }),
  };
}

function toActions(traffic: Traffic) {
  const tags = new Map<string, string>();
  let polledFrom = new Date().toISOString();

  async function read(random: Random, name: string, path: string, headers: Record<string, string> = {}) {
    const { shop } = traffic.options;
    const answer = await traffic.call(random, name, random.pick(shop.buyers), { path, headers });
    if (answer === undefined) return undefined;
    const { status } = answer.response;
    const isSoldOut = status === 400 && answer.response.json().error.code === 'product-not-found';
    if (status >= 400 && status < 500 && !isSoldOut)
      traffic.record.problem(`GET ${path}: unexpected ${status} ${answer.response.text().slice(0, 300)}`);
    return answer.response;
  }

  return {
    page(random: Random) {
      const page = random.between(1, Math.ceil(traffic.options.shop.offers.length / 20));
      return read(random, 'page', `/export/v1/product-offers?page=${page}&itemsPerPage=20`);
    },
    poll(random: Random) {
      const from = polledFrom;
      polledFrom = new Date(Date.now() - 2_000).toISOString();
      return read(random, 'poll', `/export/v1/product-offers?updatedAtFrom=${from}&itemsPerPage=100`);
    },
    async product(random: Random) {
      const { productId } = random.pick(traffic.options.shop.offers);
      const tag = tags.get(productId);
      const headers = tag === undefined ? {} : { 'if-none-match': tag };
      const response = await read(random, 'product', `/export/v1/products/${productId}`, headers);
      const next = response?.header('etag');
      if (next !== undefined) tags.set(productId, next);
    },
    details(random: Random) {
      const { offers } = traffic.options.shop;
      const ids = Array.from({ length: 10 }, () => `productIds[]=${random.pick(offers).productId}`);
      return read(random, 'details', `/export/v1/products?${ids.join('&')}`);
    },
    history: (random: Random) =>
      read(
        random,
        'history',
        `/export/v1/orders?page=${random.between(1, 5)}&itemsPerPage=20&status=complete`,
      ),
    account: (random: Random) => read(random, 'account', '/export/v1/account'),
    async order(random: Random) {
      const { options, record } = traffic;
      const sent = record.send(
        random.pick(options.shop.buyers),
        randomUUID(),
        randomItem(random, options.shop),
      );
      const startedAt = performance.now();
      for (let repeat = 0; repeat <= options.repeatsMax; repeat += 1) {
        const response = await traffic.send(random, sent);
        if (sent.outcome !== undefined) break;
        const isTooEarly = response?.status === 409 || response?.status === 429;
        await sleep(isTooEarly ? 1000 : RETRY_DELAY_MAX_MS * random.unit());
      }
      if (sent.outcome === undefined) record.givenUpCount += 1;
      else record.longestOrderMs = Math.max(record.longestOrderMs, performance.now() - startedAt);
    },
    async repeat(random: Random) {
      if (traffic.recent.length > 0) await traffic.send(random, random.pick(traffic.recent));
    },
    async keys(random: Random) {
      if (traffic.recent.length === 0) return;
      const sent = random.pick(traffic.recent);
      if (sent.outcome?.kind !== 'ordered') return;
      const path = `/export/v1/orders/${sent.outcome.order.id}/keys`;
      const answer = await traffic.call(random, 'keys', sent.buyer, { path });
      if (answer === undefined) return;
      const { status } = answer.response;
      if (status === 200) traffic.record.recordCodes(sent, answer.response);
      else if (status < 500)
        traffic.record.problem(`${sent.key}: its keys: unexpected ${status} ${answer.response.text()}`);
    },
    async events(random: Random) {
      const buyer = random.pick(traffic.options.shop.buyers);
      const follower = traffic.record.followerOf(buyer);
      if (follower.isBusy) return;
      follower.isBusy = true;
      const answer = await traffic.call(random, 'events', buyer, { path: follower.path });
      const status = answer?.response.status;
      if (answer !== undefined && (status === 200 || status === 410)) follower.take(answer.response);
      else if (status !== undefined && status < 500)
        traffic.record.problem(`events: unexpected ${status} ${answer?.response.text()}`);
      follower.isBusy = false;
    },
    async token(random: Random) {
      const buyer = random.pick(traffic.options.shop.buyers);
      await traffic.untilDone(random, 'token', async (url) => {
        buyer.token = await fetchToken(url, buyer.credentials);
      });
    },
    async price(random: Random) {
      const { id, priceCents } = random.pick(traffic.options.shop.offers);
      const price = formatCents(priceCents + random.between(-100, 0));
      await traffic.untilDone(random, 'price', (url) => operate(url, 'PATCH', `/offers/${id}`, { price }));
    },
  };
}

function randomItem(random: Random, shop: Shop): unknown {
  const { id, productId, priceCents } = random.pick(shop.offers);
  const quantity = random.weighted([
    [1, 6],
    [2, 2],
    [5, 1],
  ]);
  const maxPrice = formatCents(random.chance(0.03) ? priceCents - 1 : priceCents + random.between(0, 50));
  if (random.chance(0.2)) return { auto: { productId, quantity, maxPrice } };
  return { manual: { offerId: id, quantity, maxPrice } };
}
