/**
 * Runs operations against the service and the model and compares them after each one: what was answered, and what the
 * database holds. A request whose answer was lost may have happened or not, up to a point between two of its
 * transactions, but never in part. The hash over everything that happened is the same whenever the seed is.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Database, openOnEngine } from '../../src/db/database.ts';
import { createRandom } from '../../src/demo/random.ts';
import { verifyInvariants } from '../../src/verify/verify.ts';
import { type Clock, withDeterminism } from './determinism.ts';
import { type Fault, FaultyEngine } from './faulty-engine.ts';
import { dayOf, decimal, type Expected, type Line, Model, type ModelOrder } from './model.ts';
import { type Node, type Reply, startNode } from './node.ts';
import { compare, expectedState, learnIds, observe, type State } from './observe.ts';
import type { Action, Operation, OrderRequest } from './operation.ts';
import { Provider } from './provider.ts';
import { offerBody, openShop } from './world.ts';

const START_MICROS = Date.UTC(2026, 10, 21, 9, 30) * 1000;
const STEP_MICROS = 137;
const COOLDOWN_MICROS = 2_000_000;
const KEYS_WINDOW_MICROS = 48 * 3_600_000_000;
const ASKED_AGAIN_MICROS = 15_000_000;
const REFUND_PAUSE_MICROS_MAX = 3_600_000_000;
const DAY_MICROS = 86_400_000_000;

/** Whole comparisons and the invariants, every so many operations and at the end. */
const FULL_CHECK_EVERY = 100;
/** More attempts than the longest operation has round trips. */
const ATTEMPTS_MAX = 80;

export type RunResult = {
  readonly stepCount: number;
  /** Faults that fired. */
  readonly faultCount: number;
  readonly orderCount: number;
  /** Over every operation, answer and fault, and the whole database at the end. */
  readonly hash: string;
  readonly failure: { readonly step: number; readonly message: string } | undefined;
};

type RunOptions = {
  readonly seed: string;
  readonly operations: readonly Operation[];
  /** An empty migrated database. */
  readonly dump: Uint8Array<ArrayBuffer>;
  readonly onStep?: (step: number) => void;
};

export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** Never throws for what the service does wrong: that is the result's `failure`. */
export function runSimulation(options: RunOptions): Promise<RunResult> {
  return withDeterminism(options.seed, START_MICROS, async (clock) => {
    const simulation = await Simulation.open(options, clock);
    let step = 0;
    let failure: RunResult['failure'];
    try {
      for (; step < options.operations.length; step += 1) {
        const operation = options.operations[step];
        if (operation !== undefined) await simulation.step(operation);
        if (step % FULL_CHECK_EVERY === FULL_CHECK_EVERY - 1) await simulation.checkAll();
        options.onStep?.(step + 1);
      }
      await simulation.checkAll();
    } catch (error) {
      const text =
        error instanceof Disagreement
          ? error.message
          : error instanceof Error
            ? (error.stack ?? '')
            : String(error);
      failure = { step, message: text };
    }
    return { ...(await simulation.end()), stepCount: Math.min(step + 1, options.operations.length), failure };
  });
}

/** One request: how it is sent, and what the model says to it, transaction by transaction. */
type Deed = {
  readonly send: (node: Node) => Promise<Reply>;
  /** Orders and records that it may touch. */
  readonly keys: readonly string[];
  /** Each is one transaction; the answer is that of the last one. Undefined: the next one answers. */
  readonly stages: readonly (() => Expected | undefined)[];
  /** The request as it is remembered, for replays. */
  readonly rememberAs?: string;
};

class Simulation {
  readonly #engine: FaultyEngine;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #model: Model;
  readonly #provider: Provider;
  readonly #names;
  readonly #trace = createHash('sha256');
  /** Sizes of the batches that the present operation made, by node, as they were committed. */
  #batches: { node: number; size: number }[] = [];
  #nodes: Node[] = [];
  #stamps = new Map<string, number>();
  #faultCount = 0;
  #codeCount = 0;

  private constructor(parts: {
    engine: FaultyEngine;
    database: Database;
    clock: Clock;
    model: Model;
    seed: string;
  }) {
    this.#engine = parts.engine;
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#model = parts.model;
    this.#provider = new Provider(parts.clock.nowMicros);
    this.#names = createRandom(`${parts.seed}/names`);
  }

  static async open({ seed, dump }: RunOptions, clock: Clock): Promise<Simulation> {
    const opened: { simulation?: Simulation } = {};
    const engine = await FaultyEngine.open(dump, () => opened.simulation?.crash());
    const database = openOnEngine(engine, {});
    const model = new Model();
    const simulation = new Simulation({ engine, database, clock, model, seed });
    opened.simulation = simulation;
    await simulation.#startNodes();
    simulation.#tick(STEP_MICROS);
    await openShop(model, (name, request) => simulation.#send(simulation.#node(0), name, request));
    await simulation.#check([]);
    return simulation;
  }

  crash(): void {
    for (const node of this.#nodes) node.kill();
  }

  async step(operation: Operation): Promise<void> {
    this.#tick(STEP_MICROS);
    this.#record('operation', operation);
    const { action } = operation;
    if (action.name === 'wait') return this.#tick(action.micros);
    if (action.name === 'midnight') return this.#toMidnight(action.isOver);
    if (action.name === 'orders') return this.#orders(action, operation);
    if (action.name === 'worker') return this.#worker(action, operation);
    const deed = this.#deedOf(action);
    if (deed !== undefined) await this.#do(deed, operation);
  }

  /** Lets the worker catch up, then compares everything and asks for every invariant. */
  async checkAll(): Promise<void> {
    for (let round = 0; round < 2 || this.#hasWork(); round += 1) {
      if (round > 50) throw new Disagreement('the worker does not get through its work');
      // A payment that was asked about is asked about again after a quarter of a minute, a refund after an hour at most.
      this.#tick(round > 1 && this.#untold().length > 0 ? REFUND_PAUSE_MICROS_MAX : ASKED_AGAIN_MICROS);
      await this.#workerRound(this.#node(0), undefined);
    }
    await this.#check(undefined);
    const broken = (await verifyInvariants(this.#database)).filter(({ broken: count }) => count > 0);
    if (broken.length > 0) throw new Disagreement(`broken invariants: ${JSON.stringify(broken)}`);
    this.#checkProvider();
  }

  async end() {
    const trace = this.#trace.update(await this.#dumpRows().catch(String)).digest('hex');
    await this.#database.close();
    return { hash: trace, faultCount: this.#faultCount, orderCount: this.#model.orders.size };
  }

  // --- Doing ------------------------------------------------------------------------------------------------------

  async #do(deed: Deed, { node, trouble }: Operation): Promise<void> {
    const isSweep = trouble?.at === 'every';
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > ATTEMPTS_MAX) throw new Disagreement('the operation never comes through');
      const at = trouble === null ? undefined : isSweep ? attempt : Number(trouble.at);
      const { reply, fired } = await this.#attempt(this.#node(node), trouble?.fault, at, deed.send);
      await this.#settle(deed, reply, fired);
      if (!isSweep || fired === undefined) return;
      this.#tick(STEP_MICROS);
    }
  }

  async #attempt<Result>(
    node: Node,
    fault: Fault | undefined,
    at: number | undefined,
    send: (node: Node) => Promise<Result>,
  ) {
    if (fault !== undefined && at !== undefined) this.#engine.arm(fault, at);
    const reply = await send(node);
    // What the process still does after it has answered, such as giving up a connection, ends in this turn.
    await setImmediate();
    const fired = this.#engine.disarm();
    if (fired !== undefined) {
      this.#faultCount += 1;
      this.#record('fault', { fault, at, fired });
    }
    const isLost = !node.isAlive();
    if (isLost) await this.#startNodes();
    return { reply: isLost ? undefined : reply, fired };
  }

  /** Brings the model to where the service is, which must be a place where it may be. */
  async #settle(deed: Deed, reply: Reply | undefined, fired: string | undefined): Promise<void> {
    if (reply !== undefined && isAnswer(reply, fired)) {
      const expected = deed.stages.reduce<Expected | undefined>((last, stage) => last ?? stage(), undefined);
      this.#match(deed, expected, reply);
    } else {
      if (fired === undefined)
        throw new Disagreement(
          `failed without a fault: ${reply?.status} ${reply?.fault ?? JSON.stringify(reply?.body)}`,
        );
      await this.#findOut(deed);
    }
    await this.#check(deed.keys);
  }

  /** Nobody was told: as many of its transactions have happened as the database shows, from none to all. */
  async #findOut(deed: Deed): Promise<void> {
    const observed = await observe(this.#engine, this.#clock.nowMicros(), deed.keys);
    for (const stage of [undefined, ...deed.stages]) {
      const answered = stage?.();
      learnIds(this.#model, observed);
      const differences = compare(expectedState(this.#model, deed.keys), observed);
      if (differences.length === 0 || answered !== undefined) return;
    }
  }

  #match(deed: Deed, expected: Expected | undefined, reply: Reply): void {
    const hasResult = reply.status < 409;
    const problem =
      mismatch(expected, reply) ??
      (deed.rememberAs === undefined || !hasResult
        ? undefined
        : this.#model.remember(deed.rememberAs, JSON.stringify(reply.body)));
    if (problem === undefined) return;
    const answered = `${reply.status} ${JSON.stringify(reply.body)}`;
    throw new Disagreement(`${problem}; answered ${answered}, expected ${JSON.stringify(expected)}`);
  }

  // --- What each operation is ---------------------------------------------------------------------------------------

  #deedOf(action: Exclude<Action, { name: 'wait' | 'midnight' | 'orders' | 'worker' }>): Deed | undefined {
    const model = this.#model;
    switch (action.name) {
      case 'order':
        return this.#orderDeed(
          this.#accountAt(action.request.account),
          this.#names.uuid(),
          this.#lineOf(action.request),
        );
      case 'repeat':
        return this.#repeatDeed(action);
      case 'restock': {
        const offer = at(model.offers, action.offer);
        const kind = action.isImage ? 'image' : 'text';
        const codes = Array.from({ length: action.count }, () => this.#newCode());
        if (action.old !== null) codes.push(...[...model.codes.keys()].slice(-1), at(codes, action.old));
        return {
          send: (node) =>
            this.#send(node, 'addKeys', {
              params: { offerId: offer.id },
              body: { keys: codes.map((code) => ({ code, kind })) },
            }),
          keys: [],
          stages: [() => model.restock(offer.id, kind, codes)],
        };
      }
      case 'withdraw': {
        const offer = at(model.offers, action.offer);
        const kind = action.isImage ? 'image' : 'text';
        const { quantity } = action;
        return {
          send: (node) =>
            this.#send(node, 'withdrawKeys', {
              params: { offerId: offer.id },
              body: { reason: 'simulated', quantity, kind },
            }),
          keys: [],
          stages: [() => model.withdraw(offer.id, kind, quantity)],
        };
      }
      case 'price':
        return this.#offerDeed(at(model.offers, action.offer).id, { priceMinor: action.priceMinor });
      case 'pause': {
        const offer = at(model.offers, action.offer);
        return this.#offerDeed(offer.id, { isActive: !offer.isActive });
      }
      case 'product': {
        const product = at(model.products, action.product);
        const name = action.isVisible ? this.#names.code('Product ????') : product.name;
        return {
          send: (node) =>
            this.#send(node, 'putProduct', {
              params: { productId: product.id },
              body: { name, checkoutClass: product.checkoutClass },
            }),
          keys: [],
          stages: [() => model.putProduct(product.id, name)],
        };
      }
      case 'deposit':
        return this.#depositDeed(action);
      case 'account':
        return this.#accountDeed(action);
      case 'hold':
      case 'release':
      case 'cancel':
        return this.#actionDeed(action);
      case 'refund':
        return this.#refundDeed(action);
      case 'keys':
        return this.#keysDeed(action);
    }
  }

  #orderDeed(accountId: string, idempotencyKey: string, line: Line): Deed {
    const model = this.#model;
    const key = `${accountId} ${idempotencyKey}`;
    const { quantity } = line;
    const maxPrice = decimal(line.maxPriceMinor);
    const item =
      line.kind === 'auto'
        ? { auto: { productId: line.productId, quantity, maxPrice } }
        : { manual: { offerId: line.offerId, quantity, maxPrice } };
    let isCharged = false;
    return {
      send: (node) =>
        this.#send(node, 'createOrder', {
          body: { items: [item] },
          headers: { 'idempotency-key': idempotencyKey },
          principal: { role: 'reseller', clientId: `client of ${accountId}`, accountId },
        }),
      keys: [key],
      rememberAs: key,
      stages: [
        () => {
          const placed = model.place(accountId, idempotencyKey, line);
          isCharged = placed === 'charge';
          return placed === 'charge' ? undefined : placed;
        },
        () => (isCharged ? model.charge(key) : undefined),
      ],
    };
  }

  #repeatDeed(action: Extract<Action, { name: 'repeat' }>): Deed | undefined {
    const model = this.#model;
    if (model.answers.size === 0) return undefined;
    const key = at([...model.answers.keys()], action.request);
    const line = model.lineOf(key);
    if (line === undefined) return undefined;
    const freeAt = (model.finishedAt(key) ?? 0) + COOLDOWN_MICROS;
    if (action.when === 'just-before') this.#moveTo(freeAt - 1);
    if (action.when === 'at-the-edge') this.#moveTo(freeAt);
    const [accountId = '', idempotencyKey = ''] = key.split(' ');
    const other = {
      ...line,
      ...(line.quantity === 1 ? { maxPriceMinor: line.maxPriceMinor + 1 } : { quantity: line.quantity - 1 }),
    };
    return this.#orderDeed(accountId, idempotencyKey, action.isOther ? other : line);
  }

  #offerDeed(offerId: string, change: { priceMinor?: number; isActive?: boolean }): Deed {
    const body = offerBody({ ...this.#model.offer(offerId), ...change });
    return {
      send: (node) => this.#send(node, 'putOffer', { params: { offerId }, body }),
      keys: [],
      stages: [() => this.#model.putOffer(offerId, change)],
    };
  }

  #depositDeed(action: Extract<Action, { name: 'deposit' }>): Deed {
    const model = this.#model;
    const old =
      action.old === null || model.deposits.size === 0
        ? undefined
        : at([...model.deposits.keys()], action.old);
    const [accountId = '', reference = ''] = old?.split(' ') ?? [
      this.#accountAt(action.account),
      this.#names.uuid(),
    ];
    return {
      send: (node) =>
        this.#send(node, 'createDeposit', {
          params: { accountId },
          body: { amount: decimal(action.amountMinor), reference },
        }),
      keys: [],
      stages: [() => model.deposit(accountId, reference, action.amountMinor)],
    };
  }

  #accountDeed({ account: share, change, value }: Extract<Action, { name: 'account' }>): Deed {
    const account = at(this.#model.accounts, share);
    const [body, after] = ((): [Record<string, unknown>, Parameters<Model['updateAccount']>[1]] => {
      switch (change) {
        case 'suspend': {
          const status = account.status === 'active' ? 'suspended' : 'active';
          return [{ status }, { status }];
        }
        case 'discount':
          return [{ discountPercent: decimal(value) }, { discountBasisPoints: value }];
        case 'hold':
          return [{ holdOrders: !account.holdOrders }, { holdOrders: !account.holdOrders }];
        case 'limits': {
          const dailyUnitsMax = value % 3 === 0 ? null : value % 200;
          return [{ limits: { dailyUnitsMax } }, { dailyUnitsMax }];
        }
      }
    })();
    return {
      send: (node) => this.#send(node, 'updateAccount', { params: { accountId: account.id }, body }),
      keys: [],
      stages: [() => this.#model.updateAccount(account.id, after)],
    };
  }

  #actionDeed(action: Extract<Action, { name: 'hold' | 'release' | 'cancel' }>): Deed | undefined {
    const fitting = { hold: ['pending_payment'], release: ['held'], cancel: ['pending_payment', 'held'] }[
      action.name
    ];
    const order = this.#orderAt(action.order, action.isFitting ? fitting : undefined);
    if (order?.id === undefined) return undefined;
    const orderId = order.id;
    return {
      send: (node) =>
        this.#send(node, `${action.name}Order`, { params: { orderId }, body: { reason: 'simulated' } }),
      keys: [order.key],
      stages: [() => this.#model[action.name](order)],
    };
  }

  #refundDeed(action: Extract<Action, { name: 'refund' }>): Deed | undefined {
    const order = this.#orderAt(action.order, action.isFitting ? ['complete', 'held'] : undefined);
    if (order?.id === undefined) return undefined;
    const { id: orderId } = order;
    const { units } = action;
    const choice = { stay: {}, return: { returnToStock: true }, withdraw: { withdrawKeys: true } }[units];
    const left = order.invoiced - order.refunded;
    const quantity =
      action.quantity === null || !action.isFitting
        ? action.quantity
        : Math.max(1, Math.min(action.quantity, left));
    const items = quantity === null ? {} : { items: [{ id: `${orderId}01`, quantity }] };
    return {
      send: (node) =>
        this.#send(node, 'refundOrder', {
          params: { orderId },
          body: { reason: 'simulated', ...items, ...choice },
        }),
      keys: [order.key],
      stages: [() => this.#model.refund(order, quantity, units)],
    };
  }

  #keysDeed(action: Extract<Action, { name: 'keys' }>): Deed | undefined {
    const order = this.#orderAt(action.order, action.isFitting ? ['complete'] : undefined);
    if (order?.id === undefined) return undefined;
    const orderId = order.id;
    const endsAt = (order.completedAt ?? 0) + KEYS_WINDOW_MICROS;
    if (action.edge === 'last') this.#moveTo(endsAt);
    if (action.edge === 'over') this.#moveTo(endsAt + 1);
    const stranger = this.#model.accounts.find(({ id }) => id !== order.accountId);
    const accountId = action.isStranger && stranger !== undefined ? stranger.id : order.accountId;
    const principal = { role: 'reseller', clientId: `client of ${accountId}`, accountId };
    return {
      send: (node) => this.#send(node, 'getOrderKeys', { params: { orderId }, principal }),
      keys: [order.key],
      stages: [() => this.#model.keys(order, accountId)],
    };
  }

  // --- Several orders at once -----------------------------------------------------------------------------------------

  async #orders({ requests }: Extract<Action, { name: 'orders' }>, { trouble }: Operation): Promise<void> {
    const deeds: { deed: Deed; node: number; key: string }[] = [];
    const waiting = new Set<string>();
    for (const request of requests) {
      const account = at(this.#model.accounts, request.account);
      // What a provider's answer changes of stock and limits would come before or after its neighbours: one at most.
      const isSlow = account.paymentMethod === 'gateway';
      if (isSlow && (waiting.has(account.id) || account.customer === 'sim_declined')) continue;
      waiting.add(account.id);
      const twin = deeds.at(-1);
      const node = trouble === null ? request.node : 0;
      if (request.isTwin && twin !== undefined && trouble === null) deeds.push({ ...twin, node });
      else {
        const idempotencyKey = this.#names.uuid();
        const deed = this.#orderDeed(account.id, idempotencyKey, this.#lineOf(request));
        deeds.push({ deed, node, key: `${account.id} ${idempotencyKey}` });
      }
    }
    const at1 = trouble === null ? undefined : trouble.at === 'every' ? 9 : trouble.at;
    const nodes = [this.#node(0), this.#node(1)];
    this.#batches = [];
    const { reply: replies, fired } = await this.#attempt(this.#node(0), trouble?.fault, at1, () =>
      Promise.all(deeds.map(({ deed, node }) => deed.send(nodes[node] ?? this.#node(0)))),
    );
    const sent = deeds.map((one, index) => ({ ...one, reply: replies?.[index] }));
    const keys = deeds.map(({ key }) => key);
    for (const { deed, key, reply } of this.#inOrderOfCommit(sent, fired)) {
      if (reply !== undefined && isAnswer(reply, fired)) {
        const expected = deed.stages.reduce<Expected | undefined>(
          (last, stage) => last ?? stage(),
          undefined,
        );
        this.#match(deed, expected, reply);
      } else if (fired === undefined)
        throw new Disagreement(`failed without a fault: ${reply?.fault ?? JSON.stringify(reply)}`);
      else await this.#findOutOneOf(deed, key);
    }
    await this.#check(keys);
  }

  /** First those that came back at once because their twin was under way on the same node. */
  #inOrderOfCommit<Sent extends { node: number; key: string }>(
    sent: readonly Sent[],
    fired: string | undefined,
  ): Sent[] {
    if (fired !== undefined) return [...sent];
    const queues: Sent[][] = [[], []];
    const refused: Sent[] = [];
    for (const one of sent) {
      const queue = queues[one.node] ?? [];
      if (queue.some(({ key }) => key === one.key)) refused.push(one);
      else queue.push(one);
    }
    const committed = this.#batches.flatMap(({ node, size }) => queues[node]?.splice(0, size) ?? []);
    return [...committed, ...queues.flat(), ...refused];
  }

  async #findOutOneOf(deed: Deed, key: string): Promise<void> {
    const observed = await observe(this.#engine, this.#clock.nowMicros(), [key]);
    if (!this.#model.hasRecord(key) && observed.records[key] === undefined) return;
    for (const stage of deed.stages) {
      if (stage() !== undefined) return;
      learnIds(this.#model, observed);
      if (this.#isAsObserved(key, observed)) return;
    }
  }

  #isAsObserved(key: string, observed: State): boolean {
    const { orders, records } = expectedState(this.#model, [key]);
    return isDeepStrictEqual([orders[key], records[key]], [observed.orders[key], observed.records[key]]);
  }

  // --- The worker -----------------------------------------------------------------------------------------------------

  async #worker(
    { isRefusingRefunds }: Extract<Action, { name: 'worker' }>,
    { node, trouble }: Operation,
  ): Promise<void> {
    this.#provider.isRefusingRefunds = isRefusingRefunds;
    const at = trouble === null ? undefined : trouble.at === 'every' ? 3 : trouble.at;
    await this.#workerRound(
      this.#node(node),
      trouble === null ? undefined : { fault: trouble.fault, at: at ?? 1 },
    );
    this.#provider.isRefusingRefunds = false;
  }

  async #workerRound(node: Node, trouble: { fault: Fault; at: number } | undefined): Promise<void> {
    const model = this.#model;
    model.nowMicros = this.#clock.nowMicros();
    const due = model.duePayments();
    const keys = [...due, ...this.#untold()].map(({ key }) => key);
    const { fired } = await this.#attempt(node, trouble?.fault, trouble?.at, (one) => one.runWorker());
    const observed = await observe(this.#engine, this.#clock.nowMicros(), keys);
    for (const order of due) {
      const stages = [() => model.claim(order), () => model.ask(order, this.#verdict(order))];
      for (const stage of stages) {
        if (fired !== undefined && this.#isAsObserved(order.key, withoutTells(observed, order))) break;
        stage();
      }
    }
    this.#adoptTold(observed);
    if (fired === undefined) model.forgetOldRefusals();
    else await this.#adoptForgotten();
    await this.#check(keys);
  }

  #verdict(order: ModelOrder) {
    const { customer } = this.#model.account(order.accountId);
    return customer === 'sim_error' ? 'no-answer' : this.#provider.verdict(order.id ?? '');
  }

  #untold(): ModelOrder[] {
    return [...this.#model.orders.values()].filter(({ tells }) => tells.some(({ isDone }) => !isDone));
  }

  /** Whatever is marked as told was told; when a refund is due again is not modelled. In the end all have to be told. */
  #adoptTold(observed: State): void {
    for (const order of this.#untold()) {
      const found = observed.orders[order.key];
      if (typeof found !== 'object' || found === null || !('tells' in found) || !Array.isArray(found.tells))
        continue;
      for (const [index, tell] of order.tells.entries()) tell.isDone = found.tells[index]?.[1] === true;
    }
  }

  async #adoptForgotten(): Promise<void> {
    const before = this.#model.recordCount;
    const observed = await observe(this.#engine, this.#clock.nowMicros(), []);
    if (observed.counts['records'] !== before) this.#model.forgetOldRefusals();
  }

  #hasWork(): boolean {
    return this.#model.duePayments().length > 0 || this.#untold().length > 0;
  }

  // --- Checking -------------------------------------------------------------------------------------------------------

  async #check(keys: readonly string[] | undefined): Promise<void> {
    const model = this.#model;
    model.nowMicros = this.#clock.nowMicros();
    const observed = await observe(this.#engine, model.nowMicros, keys);
    learnIds(model, observed);
    const differences = compare(expectedState(model, keys), observed);
    if (differences.length > 0) throw new Disagreement(differences.join('\n'));
    await this.#checkStamps();
  }

  /** A8: what resellers see changed gets a stamp above all before; nothing else does. */
  async #checkStamps(): Promise<void> {
    const rows = await this.#engine.look<{ id: string; stamp: string }>(
      `SELECT product_id::text AS id, (extract(epoch FROM stamp) * 1000000)::bigint::text AS stamp FROM product_stamp`,
    );
    const newest = Math.max(0, ...this.#stamps.values());
    const moved = rows.filter(({ id, stamp }) => this.#stamps.get(id) !== Number(stamp));
    for (const { id, stamp } of moved) {
      if (!this.#model.mayStamp.has(id) && newest > 0)
        throw new Disagreement(`product ${id} was stamped for nothing`);
      if (Number(stamp) <= newest)
        throw new Disagreement(`product ${id} has the stamp ${stamp}, not above ${newest}`);
      this.#stamps.set(id, Number(stamp));
    }
    for (const id of this.#model.mustStamp) {
      if (!moved.some((row) => row.id === id))
        throw new Disagreement(`product ${id} has changed and was not stamped`);
    }
    this.#model.mustStamp.clear();
    this.#model.mayStamp.clear();
  }

  /** The provider's books against those of the service, when all is told. */
  #checkProvider(): void {
    const charged = this.#provider.charged();
    const told = Map.groupBy(this.#provider.refunds.values(), ({ orderId }) => orderId);
    for (const order of this.#model.orders.values()) {
      if (order.method !== 'gateway' || order.id === undefined) continue;
      const refunds = (told.get(order.id) ?? []).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      if (refunds !== order.given)
        throw new Disagreement(`order ${order.id}: ${order.given} given back, the provider gave ${refunds}`);
      if (order.charged > 0 && charged.get(order.id) !== order.charged)
        throw new Disagreement(
          `order ${order.id}: ${order.charged} charged, the provider charged ${charged.get(order.id)}`,
        );
    }
  }

  // --- Small things ---------------------------------------------------------------------------------------------------

  async #startNodes(): Promise<void> {
    this.#nodes = [];
    for (const index of [0, 1]) {
      const onBatch = (size: number) => this.#batches.push({ node: index, size });
      this.#nodes.push(await startNode({ database: this.#database, provider: this.#provider, onBatch }));
    }
  }

  #node(index: number): Node {
    const node = this.#nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  async #send(
    node: Node,
    name: Parameters<Node['call']>[0],
    request: Record<string, unknown>,
  ): Promise<Reply> {
    const reply = await node.call(name, {
      principal: { role: 'operator', clientId: 'operator' },
      ...request,
    });
    this.#record('reply', { name, status: reply.status, body: reply.body });
    return reply;
  }

  #record(kind: string, value: unknown): void {
    this.#trace.update(`${kind} ${JSON.stringify(value)}\n`);
  }

  #tick(micros: number): void {
    this.#moveTo(this.#clock.nowMicros() + micros);
  }

  #moveTo(micros: number): void {
    this.#clock.moveTo(micros);
    this.#model.nowMicros = this.#clock.nowMicros();
  }

  #toMidnight(isOver: boolean): void {
    const next = Date.parse(`${dayOf(this.#clock.nowMicros() + DAY_MICROS)}T00:00:00Z`) * 1000;
    this.#moveTo(isOver ? next : next - 1 - STEP_MICROS);
  }

  #accountAt(share: number): string {
    return at(this.#model.accounts, share).id;
  }

  #orderAt(share: number, statuses: readonly string[] | undefined): ModelOrder | undefined {
    const orders = [...this.#model.orders.values()];
    const fitting = orders.filter(({ status }) => statuses === undefined || statuses.includes(status));
    return fitting.length === 0 ? undefined : at(fitting, share);
  }

  #lineOf({ isAuto, target, quantity, overPriceMinor }: OrderRequest): Line {
    const { offers, products } = this.#model;
    // One step further than there is: an unknown product or offer.
    const product = products[Math.floor(target * (products.length + 0.1))];
    const offer = offers[Math.floor(target * (offers.length + 0.1))];
    const prices = isAuto
      ? offers.filter(({ productId }) => productId === product?.id)
      : offer === undefined
        ? []
        : [offer];
    const cheapest = Math.min(10_000, ...prices.map(({ priceMinor }) => priceMinor));
    const maxPriceMinor = Math.max(1, cheapest + overPriceMinor);
    if (isAuto) return { kind: 'auto', productId: product?.id ?? '99999999999999', quantity, maxPriceMinor };
    return {
      kind: 'manual',
      offerId: offer?.id ?? '00000000-0000-4000-8000-000000000000',
      quantity,
      maxPriceMinor,
    };
  }

  #newCode(): string {
    this.#codeCount += 1;
    return `CODE-${this.#codeCount}`;
  }

  /** Every row of every table, as text. */
  async #dumpRows(): Promise<string> {
    const tables = await this.#engine.look<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    );
    const parts: string[] = [];
    for (const { name } of tables) {
      const rows = await this.#engine.look<{ row: string }>(
        `SELECT one::text AS row FROM ${name} AS one ORDER BY 1`,
      );
      parts.push(name, ...rows.map(({ row }) => row));
    }
    return parts.join('\n');
  }
}

/** What is wrong with the answer; undefined when it is the expected one. */
function mismatch(expected: Expected | undefined, reply: Reply): string | undefined {
  if (reply.status !== expected?.status) return 'another status';
  if (reply.body?.error?.code !== expected.code) return 'another code';
  if (expected.reason !== undefined && reply.body.error.data.reason !== expected.reason)
    return 'another reason';
  if (reply.isReplay !== (expected.isReplay ?? false)) return 'a replay or not';
  return expected.problem?.(reply.body);
}

/** Whether the caller can rely on it: after a fault, 5xx and "still in work" leave open what happened. */
function isAnswer({ status, body }: Reply, fired: string | undefined): boolean {
  const isInWork = body?.error?.code === 'idempotency-key-processing';
  return status < 500 && (fired === undefined || !isInWork);
}

function withoutTells(state: State, order: ModelOrder): State {
  const found = state.orders[order.key];
  if (typeof found !== 'object' || found === null) return state;
  return {
    ...state,
    orders: {
      ...state.orders,
      [order.key]: { ...found, tells: order.tells.map(({ amount, isDone }) => [amount, isDone]) },
    },
  };
}

function at<Thing>(things: readonly Thing[], share: number): Thing {
  const thing = things[Math.min(things.length - 1, Math.floor(share * things.length))];
  if (thing === undefined) throw new Error('there is nothing to choose from');
  return thing;
}
