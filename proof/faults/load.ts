/**
 * Load as real resellers make it: each client orders, repeats with the same Idempotency-Key what it got no clear answer
 * to, at whichever node there is, reads its keys and looks around; an operator restocks and tops up. What
 * they were answered is in the log (call-log.ts), and audit.ts compares it with the database.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../packages/server/src/demo/random.ts';
import {
  callService,
  type ServiceResponse,
  tokenOf,
} from '../../packages/server/test/support/killable-service.ts';
import { CallLog, type SentOrder } from './call-log.ts';
import { addKeys, type Buyer, deposit, formatCents, newCodes, type Shop } from './shop.ts';

export type LoadOptions = {
  readonly shop: Shop;
  /** Base URLs that respond at present, as a load balancer knows them; asked before every request. */
  readonly urls: () => readonly string[];
  readonly seed: string;
  /** Requests at once. */
  readonly callerCount?: number;
  /** A caller rests for as long as this on average after an order or a read, milliseconds. */
  readonly pauseMs?: number;
  /** A caller waits for a response for as long as this, milliseconds. */
  readonly timeoutMs?: number;
  /** How often an order is repeated before its reseller gives up for now; the audit resolves it. */
  readonly repeatsMax?: number;
  /** Whether tokens may run out under load; callers then fetch new ones. */
  readonly mayTokensExpire?: boolean;
};

export type Load = {
  readonly log: CallLog;
  /**
   * Resolves as soon as an order that is sent from now on, to this node if one is named, was acknowledged; with how long
   * that took, milliseconds. Rejects after `withinMs` (a minute unless given).
   */
  orderPlaced(wanted?: { readonly url?: string | undefined; readonly withinMs?: number }): Promise<number>;
  /** Ends it, and resolves when the last response arrived or was given up. */
  stop(): Promise<void>;
  /** Ends it when no node answers any more; what is open stays so. */
  abandon(): void;
};

const ORDER_PLACED_WITHIN_MS = 60_000;
const RESTOCK_UNITS = 500;
const TOP_UP_CENTS = 50_00;
const OPERATOR_PAUSE_MS = 300;
const RETRY_DELAY_MAX_MS = 400;
const NO_NODE_PAUSE_MS = 50;

type Waiter = {
  readonly sinceMs: number;
  readonly url: string | undefined;
  readonly resolve: (tookMs: number) => void;
};

export function startLoad(options: LoadOptions): Load {
  const { shop, urls, callerCount = 12, pauseMs = 30, timeoutMs = 10_000, repeatsMax = 3 } = options;
  const log = new CallLog();
  const waiters = new Set<Waiter>();
  let isStopping = false;
  let isAbandoned = false;
  let soldSinceRestock = 0;

  /** Waits for one when there is none. */
  async function aNode(random: Random): Promise<string> {
    for (let nodes = urls(); ; nodes = urls()) {
      if (nodes.length > 0) return random.pick(nodes);
      await sleep(NO_NODE_PAUSE_MS);
    }
  }

  /** Undefined when no response came, whatever the reason. */
  async function call(
    random: Random,
    buyer: Buyer,
    method: string,
    path: string,
    order: { readonly key?: string; readonly body?: unknown } = {},
  ): Promise<(ServiceResponse & { readonly url: string; readonly sentAtMs: number }) | undefined> {
    const url = await aNode(random);
    const sentAtMs = performance.now();
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await callService({ url }, method, path, { ...order, token: buyer.token, signal });
      log.count(method, response.status);
      log.recordDuration(method, performance.now() - sentAtMs);
      if (response.status === 401 && options.mayTokensExpire) {
        buyer.token = await tokenOf({ url }, buyer.credentials);
        return undefined;
      }
      return { ...response, url, sentAtMs };
    } catch {
      log.count(method, 'no answer');
      return undefined;
    }
  }

  async function tryOrder(random: Random, sent: SentOrder): Promise<ServiceResponse | undefined> {
    const { buyer, key, item } = sent;
    const response = await call(random, buyer, 'POST', '/export/v1/orders', { key, body: { items: [item] } });
    if (response === undefined) return undefined;
    log.recordOrder(sent, response);
    if (response.status === 200 || response.status === 201) notifyWaiters(response);
    return response;
  }

  function notifyWaiters({ url, sentAtMs }: { readonly url: string; readonly sentAtMs: number }): void {
    for (const waiter of waiters) {
      if (sentAtMs < waiter.sinceMs || (waiter.url !== undefined && waiter.url !== url)) continue;
      waiters.delete(waiter);
      waiter.resolve(performance.now() - waiter.sinceMs);
    }
  }

  async function order(random: Random, buyer: Buyer): Promise<SentOrder> {
    const sent = log.send(buyer, randomUUID(), randomItem(random, shop));
    const startedAt = performance.now();
    for (let repeat = 0; repeat <= repeatsMax; repeat += 1) {
      const response = await tryOrder(random, sent);
      if (sent.outcome !== undefined) break;
      // A reseller who is asked to come back in a second does so.
      const isTooEarly = response?.status === 409 || response?.status === 429;
      await sleep(isTooEarly ? 1000 : RETRY_DELAY_MAX_MS * random.unit());
    }
    if (sent.outcome === undefined) log.givenUpCount += 1;
    else log.longestOrderMs = Math.max(log.longestOrderMs, performance.now() - startedAt);
    if (sent.outcome?.kind === 'ordered') soldSinceRestock += sent.outcome.order.amounts.quantity;
    return sent;
  }

  async function read(random: Random, buyer: Buyer): Promise<void> {
    const { productId } = random.pick(shop.offers);
    const path = random.pick([
      '/export/v1/product-offers?itemsPerPage=20',
      `/export/v1/products/${productId}`,
      '/export/v1/orders?itemsPerPage=10',
      '/export/v1/account',
    ]);
    const response = await call(random, buyer, 'GET', path);
    const isSoldOut = response?.body?.error?.code === 'product-not-found';
    if (response !== undefined && response.status !== 200 && response.status < 500 && !isSoldOut) {
      log.problem(`GET ${path}: unexpected ${response.status} ${JSON.stringify(response.body)}`);
    }
  }

  async function readKeys(random: Random, sent: SentOrder): Promise<void> {
    if (sent.outcome?.kind !== 'ordered') return;
    const { id } = sent.outcome.order;
    const response = await call(random, sent.buyer, 'GET', `/export/v1/orders/${id}/keys`);
    if (response?.status === 200) log.recordCodes(sent, codesOf(response));
    else if (response !== undefined && response.status < 500) {
      log.problem(`${sent.key}: its keys: unexpected ${response.status} ${JSON.stringify(response.body)}`);
    }
  }

  async function runCaller(index: number): Promise<void> {
    const random = createRandom(`${options.seed}/caller ${index}`);
    let last: SentOrder | undefined;
    while (!isStopping) {
      const buyer = random.pick(shop.buyers);
      const action = random.weighted([
        ['order', 7],
        ['keys', 2],
        ['read', 2],
      ] as const);
      if (action === 'order') last = await order(random, buyer);
      else if (action === 'read') await read(random, buyer);
      else if (last !== undefined) await readKeys(random, last);
      await sleep(2 * pauseMs * random.unit());
    }
  }

  /** Restocks what was sold and tops up who is poor; whatever fails is done again until it is known to be done. */
  async function runOperator(): Promise<void> {
    const random = createRandom(`${options.seed}/operator`);
    while (!isStopping) {
      await sleep(OPERATOR_PAUSE_MS);
      const poor = shop.accounts.filter(({ isPoor }) => isPoor);
      const account = random.pick(poor);
      const reference = `${options.seed}/${randomUUID()}`;
      await untilDone((url) => deposit(url, account, TOP_UP_CENTS, reference));
      if (soldSinceRestock < RESTOCK_UNITS) continue;
      const perOffer = Math.ceil(soldSinceRestock / shop.offers.length);
      soldSinceRestock = 0;
      for (const { id } of shop.offers) {
        const codes = newCodes(perOffer);
        await untilDone((url) => addKeys(url, id, codes));
      }
    }
    async function untilDone(action: (url: string) => Promise<void>): Promise<void> {
      while (!isAbandoned) {
        try {
          return await action(await aNode(random));
        } catch {
          log.count('operator', 'no answer');
        }
        await sleep(RETRY_DELAY_MAX_MS * random.unit());
      }
    }
  }

  const running = [...Array.from({ length: callerCount }, (_, index) => runCaller(index)), runOperator()];
  // Reported when the load is stopped.
  for (const one of running) one.catch(() => {});
  return {
    log,
    orderPlaced({ url, withinMs = ORDER_PLACED_WITHIN_MS } = {}) {
      return new Promise((resolve, reject) => {
        const waiter = { sinceMs: performance.now(), url, resolve: placed };
        const limit = setTimeout(() => {
          waiters.delete(waiter);
          reject(new Error(`no order was acknowledged within ${withinMs} ms: ${JSON.stringify(log.counts)}`));
        }, withinMs);
        function placed(tookMs: number) {
          clearTimeout(limit);
          resolve(tookMs);
        }
        waiters.add(waiter);
      });
    },
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
    abandon() {
      isStopping = true;
      isAbandoned = true;
    },
  };
}

/** The codes in the response of the keys operation. */
export function codesOf({ body }: ServiceResponse): string[] {
  const items: { keys: { code: string }[] }[] = body.data;
  return items.flatMap(({ keys }) => keys.map(({ code }) => code));
}

/** Now and then too dear, and now and then whichever offer of the product is cheapest. */
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
