/**
 * Compares responses and database with the model after each operation. A request whose response was lost may
 * have completed some of its transactions, but none in part. The same seed always gives the same hash.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Database, openOnEngine } from '../../packages/server/src/db/engines/database.ts';
import { verifyInvariants } from '../../packages/server/src/verify/verify.ts';
import { createRandom, type Random } from '../../packages/server/test/support/random.ts';
import { at, type Command, Commands } from './commands.ts';
import { type Clock, withDeterminism } from './determinism.ts';
import { type Faults, FaultyEngine } from './faulty-engine.ts';
import { type Expected, Model, type ModelOrder, toDay, type Verdict } from './model.ts';
import { type Node, type Reply, startNode } from './node.ts';
import { compare, expectedState, learnIds, observe, type State } from './observe.ts';
import type { Action, Operation } from './operation.ts';
import { Provider } from './provider.ts';
import { openShop } from './world.ts';

const START_MICROS = Date.UTC(2026, 10, 21, 9, 30) * 1000;
const STEP_MICROS = 137;
const ASKED_AGAIN_MICROS = 15_000_000;
const REFUND_PAUSE_MICROS_MAX = 3_600_000_000;
const DAY_MICROS = 86_400_000_000;

const FULL_CHECK_EVERY = 100;
/** More attempts than the longest operation has round trips. */
const ATTEMPTS_MAX = 80;

export type RunResult = {
  readonly stepCount: number;
  readonly faultCount: number;
  readonly orderCount: number;
  readonly hash: string;
  readonly failure: { readonly step: number; readonly message: string } | undefined;
};

type RunOptions = {
  readonly seed: string;
  readonly operations: readonly Operation[];
  readonly dump: Uint8Array<ArrayBuffer>;
  readonly onStep?: (step: number) => void;
};

class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** Never throws for errors of the service: those are in the result's `failure`. */
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

class Simulation {
  readonly #engine: FaultyEngine;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #model: Model;
  readonly #provider: Provider;
  readonly #names: Random;
  readonly #commands: Commands;
  readonly #trace = createHash('sha256');
  /** Batches of all nodes, in the order of commits. */
  #batches: { node: number; size: number }[] = [];
  #nodes: Node[] = [];
  #stamps = new Map<string, number>();
  #faultCount = 0;

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
    this.#commands = new Commands({
      model: parts.model,
      names: this.#names,
      send: (node, name, request) => this.#send(node, name, request),
      moveTo: (micros) => this.#moveTo(micros),
    });
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
    if (action.name === 'fold-sums') return this.#foldSums(operation);
    if (action.name === 'worker') return this.#worker(action, operation);
    const command = this.#commands.of(action);
    if (command !== undefined) await this.#do(command, operation);
  }

  /** Checks everything after the worker has finished. */
  async checkAll(): Promise<void> {
    for (let round = 0; round < 2 || this.#hasWork(); round += 1) {
      if (round > 50) throw new Disagreement('the worker does not finish its work');
      // A payment is queried again after 15 seconds, a refund after an hour at most.
      this.#tick(round > 1 && this.#unreported().length > 0 ? REFUND_PAUSE_MICROS_MAX : ASKED_AGAIN_MICROS);
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

  async #do(command: Command, { node, plannedFault }: Operation): Promise<void> {
    const isSweep = plannedFault?.at === 'every';
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > ATTEMPTS_MAX) throw new Disagreement('the operation never completes');
      const at = plannedFault === null ? undefined : isSweep ? attempt : Number(plannedFault.at);
      const { reply, fired } = await this.#attempt(this.#node(node), plannedFault?.fault, at, command.send);
      if (
        isRaceLost(plannedFault?.fault, fired) &&
        command.rememberAs !== undefined &&
        (reply?.status ?? 0) >= 500
      )
        throw new Disagreement(`an order that lost a race was not retried: ${reply?.fault}`);
      await this.#settle(command, reply, fired);
      if (!isSweep || fired === undefined) return;
      this.#tick(STEP_MICROS);
    }
  }

  async #attempt<Result>(
    node: Node,
    fault: Faults | undefined,
    at: number | undefined,
    send: (node: Node) => Promise<Result>,
  ) {
    if (fault !== undefined && at !== undefined) this.#engine.arm(fault, at);
    const reply = await send(node);
    // Work of the process after its response, such as dropping a connection, ends in this turn.
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

  /** The service's state must be an allowed one. */
  async #settle(command: Command, reply: Reply | undefined, fired: string | undefined): Promise<void> {
    if (reply !== undefined && isConclusive(reply, fired)) {
      const expected = command.stages.reduce<Expected | undefined>(
        (last, stage) => last ?? stage(),
        undefined,
      );
      this.#match(command, expected, reply);
    } else {
      if (fired === undefined)
        throw new Disagreement(
          `failed without a fault: ${reply?.status} ${reply?.fault ?? JSON.stringify(reply?.body)}`,
        );
      await this.#resolve(command);
    }
    await this.#check(command.keys);
  }

  /** The database shows how many transactions have happened, from none to all. */
  async #resolve(command: Command): Promise<void> {
    const observed = await observe(this.#engine, this.#clock.nowMicros(), command.keys);
    for (const stage of [undefined, ...command.stages]) {
      const answered = stage?.();
      learnIds(this.#model, observed);
      const differences = compare(expectedState(this.#model, command.keys), observed);
      if (differences.length === 0 || answered !== undefined) return;
    }
  }

  #match(command: Command, expected: Expected | undefined, reply: Reply): void {
    const hasResult = reply.status < 409;
    const problem =
      mismatch(expected, reply) ??
      (command.rememberAs === undefined || !hasResult
        ? undefined
        : this.#model.remember(command.rememberAs, JSON.stringify(reply.body)));
    if (problem === undefined) return;
    const answered = `${reply.status} ${JSON.stringify(reply.body)}`;
    throw new Disagreement(`${problem}; got ${answered}, expected ${JSON.stringify(expected)}`);
  }

  async #orders(
    { requests }: Extract<Action, { name: 'orders' }>,
    { plannedFault }: Operation,
  ): Promise<void> {
    const commands: { command: Command; node: number; key: string }[] = [];
    const waiting = new Set<string>();
    for (const request of requests) {
      const account = at(this.#model.accounts, request.account);
      // A provider's response can change stock and limits before or after its neighbors run.
      const isSlow = account.paymentMethod === 'gateway';
      if (isSlow && (waiting.has(account.id) || account.customer === 'sim_declined')) continue;
      waiting.add(account.id);
      const previous = commands.at(-1);
      const node = plannedFault === null ? request.node : 0;
      if (request.isDuplicate && previous !== undefined && plannedFault === null)
        commands.push({ ...previous, node });
      else {
        const idempotencyKey = this.#names.uuid();
        const command = this.#commands.order(account.id, idempotencyKey, this.#commands.toLine(request));
        commands.push({ command, node, key: `${account.id} ${idempotencyKey}` });
      }
    }
    const at1 = plannedFault === null ? undefined : plannedFault.at === 'every' ? 9 : plannedFault.at;
    const nodes = [this.#node(0), this.#node(1)];
    this.#batches = [];
    const { reply: replies, fired } = await this.#attempt(this.#node(0), plannedFault?.fault, at1, () =>
      Promise.all(commands.map(({ command, node }) => command.send(nodes[node] ?? this.#node(0)))),
    );
    const sent = commands.map((one, index) => ({ ...one, reply: replies?.[index] }));
    const keys = commands.map(({ key }) => key);
    for (const { command, key, reply } of this.#inOrderOfCommit(sent)) {
      if (reply !== undefined && isConclusive(reply, fired)) {
        const expected = command.stages.reduce<Expected | undefined>(
          (last, stage) => last ?? stage(),
          undefined,
        );
        this.#match(command, expected, reply);
      } else if (fired === undefined)
        throw new Disagreement(`failed without a fault: ${reply?.fault ?? JSON.stringify(reply)}`);
      else await this.#resolveOne(command, key);
    }
    await this.#check(keys);
  }

  /** Duplicates of a request in progress get their response immediately; they come last. */
  #inOrderOfCommit<Sent extends { node: number; key: string }>(sent: readonly Sent[]): Sent[] {
    const arrived: Sent[][] = [[], []];
    const refused: Sent[] = [];
    for (const one of sent) {
      const queue = arrived[one.node] ?? [];
      if (queue.some(({ key }) => key === one.key)) refused.push(one);
      else queue.push(one);
    }
    const queues = arrived.map(inTurns);
    const committed = this.#batches.flatMap(({ node, size }) => queues[node]?.splice(0, size) ?? []);
    return [...committed, ...queues.flat(), ...refused];
  }

  async #resolveOne(command: Command, key: string): Promise<void> {
    const observed = await observe(this.#engine, this.#clock.nowMicros(), [key]);
    if (!this.#model.hasRecord(key) && observed.records[key] === undefined) return;
    for (const stage of command.stages) {
      if (stage() !== undefined) return;
      learnIds(this.#model, observed);
      if (this.#isAsObserved(key, observed)) return;
    }
  }

  #isAsObserved(key: string, observed: State): boolean {
    const { orders, records } = expectedState(this.#model, [key]);
    return isDeepStrictEqual([orders[key], records[key]], [observed.orders[key], observed.records[key]]);
  }

  async #worker(
    { isRefusingRefunds }: Extract<Action, { name: 'worker' }>,
    { node, plannedFault }: Operation,
  ): Promise<void> {
    this.#provider.isRefusingRefunds = isRefusingRefunds;
    const at = plannedFault === null ? undefined : plannedFault.at === 'every' ? 3 : plannedFault.at;
    await this.#workerRound(
      this.#node(node),
      plannedFault === null ? undefined : { fault: plannedFault.fault, at: at ?? 1 },
    );
    this.#provider.isRefusingRefunds = false;
  }

  /** Folding does not change what is read. */
  async #foldSums({ node, plannedFault }: Operation): Promise<void> {
    const at = plannedFault === null ? undefined : plannedFault.at === 'every' ? 2 : plannedFault.at;
    await this.#attempt(this.#node(node), plannedFault?.fault, at, (one) => one.foldSums());
    await this.#check([]);
  }

  async #workerRound(node: Node, plannedFault: { fault: Faults; at: number } | undefined): Promise<void> {
    const model = this.#model;
    model.nowMicros = this.#clock.nowMicros();
    const due = model.duePayments();
    // The provider learns about the worker's requests only during the round.
    const verdicts = new Map(due.map((order) => [order, this.#verdict(order)]));
    const keys = [...due, ...this.#unreported()].map(({ key }) => key);
    const { fired } = await this.#attempt(node, plannedFault?.fault, plannedFault?.at, (one) =>
      one.runWorker(),
    );
    const observed = await observe(this.#engine, this.#clock.nowMicros(), keys);
    for (const order of due) {
      const stages = [() => model.claim(order), () => model.ask(order, verdicts.get(order) ?? 'no-answer')];
      for (const stage of stages) {
        if (fired !== undefined && this.#isAsObserved(order.key, ignoringReports(observed, order))) break;
        stage();
      }
    }
    this.#adoptReports(observed);
    if (fired === undefined) model.forget(model.oldRejections());
    else await this.#adoptForgotten();
    await this.#check(keys);
  }

  #verdict(order: ModelOrder): Verdict {
    const { customer } = this.#model.account(order.accountId);
    return customer === 'sim_error' ? 'no-answer' : this.#provider.verdict(order.id ?? '');
  }

  #unreported(): ModelOrder[] {
    return [...this.#model.orders.values()].filter(({ reports }) => reports.some(({ isDone }) => !isDone));
  }

  /** The model has no due times of refunds. In the end all must be reported. */
  #adoptReports(observed: State): void {
    for (const order of this.#unreported()) {
      const found = observed.orders[order.key];
      if (
        typeof found !== 'object' ||
        found === null ||
        !('reports' in found) ||
        !Array.isArray(found.reports)
      )
        continue;
      for (const [index, report] of order.reports.entries())
        report.isDone = found.reports[index]?.[1] === true;
    }
  }

  /** The service may have forgotten some before the fault. */
  async #adoptForgotten(): Promise<void> {
    const old = this.#model.oldRejections();
    const { records } = await observe(this.#engine, this.#clock.nowMicros(), old);
    this.#model.forget(old.filter((key) => records[key] === undefined));
  }

  #hasWork(): boolean {
    return this.#model.duePayments().length > 0 || this.#unreported().length > 0;
  }

  async #check(keys: readonly string[] | undefined): Promise<void> {
    const model = this.#model;
    model.nowMicros = this.#clock.nowMicros();
    const observed = await observe(this.#engine, model.nowMicros, keys);
    learnIds(model, observed);
    const differences = compare(expectedState(model, keys), observed);
    if (differences.length > 0) throw new Disagreement(differences.join('\n'));
    this.#checkStamps(observed.stamps);
  }

  /** A8: only products that change for resellers get a stamp, above all earlier ones. */
  #checkStamps(stamps: Record<string, unknown>): void {
    const rows = Object.entries(stamps).map(([id, stamp]) => ({ id, stamp: Number(stamp) }));
    const newest = Math.max(0, ...this.#stamps.values());
    const moved = rows.filter(({ id, stamp }) => this.#stamps.get(id) !== stamp);
    for (const { id, stamp } of moved) {
      if (!this.#model.mayStamp.has(id) && newest > 0)
        throw new Disagreement(`product ${id} was stamped without a change`);
      if (stamp <= newest)
        throw new Disagreement(`product ${id} has the stamp ${stamp}, not above ${newest}`);
      this.#stamps.set(id, stamp);
    }
    for (const id of this.#model.mustStamp) {
      if (!moved.some((row) => row.id === id))
        throw new Disagreement(`product ${id} has changed and was not stamped`);
    }
    this.#model.mustStamp.clear();
    this.#model.mayStamp.clear();
  }

  #checkProvider(): void {
    const charged = this.#provider.charged();
    const refundsByOrder = Map.groupBy(this.#provider.refunds.values(), ({ orderId }) => orderId);
    for (const order of this.#model.orders.values()) {
      if (order.method !== 'gateway' || order.id === undefined) continue;
      const refunds = (refundsByOrder.get(order.id) ?? []).reduce(
        (sum, { amountMinor }) => sum + amountMinor,
        0,
      );
      if (refunds !== order.given)
        throw new Disagreement(
          `order ${order.id}: ${order.given} refunded, the provider refunded ${refunds}`,
        );
      if (order.charged > 0 && charged.get(order.id) !== order.charged)
        throw new Disagreement(
          `order ${order.id}: ${order.charged} charged, the provider charged ${charged.get(order.id)}`,
        );
    }
  }

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
    const next = Date.parse(`${toDay(this.#clock.nowMicros() + DAY_MICROS)}T00:00:00Z`) * 1000;
    this.#moveTo(isOver ? next : next - 1 - STEP_MICROS);
  }

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

/** The first one comes alone, then those of the accounts in turn (A240). */
function inTurns<Sent extends { key: string }>(arrived: readonly Sent[]): Sent[] {
  const [first, ...waiting] = arrived;
  if (first === undefined) return [];
  const lines = [...Map.groupBy(waiting, ({ key }) => key.split(' ', 1)[0]).values()];
  const turns = Math.max(0, ...lines.map(({ length }) => length));
  const inOrder = Array.from({ length: turns }, (_, turn) =>
    lines.flatMap((line) => line.slice(turn, turn + 1)),
  );
  return [first, ...inOrder.flat()];
}

function mismatch(expected: Expected | undefined, reply: Reply): string | undefined {
  if (reply.status !== expected?.status) return 'a different status';
  if (reply.body?.error?.code !== expected.code) return 'a different code';
  if (expected.reason !== undefined && reply.body.error.data.reason !== expected.reason)
    return 'a different reason';
  if (reply.isReplay !== (expected.isReplay ?? false)) return 'a different replay flag';
  return expected.problem?.(reply.body);
}

/** Returns whether the transaction must be retried. */
function isRaceLost(fault: Faults | undefined, fired: string | undefined): boolean {
  const isRetryable = fault?.kind === 'error' && (fault.sqlState === '40001' || fault.sqlState === '40P01');
  // A second fault may strike the retry.
  return isRetryable && fired !== undefined && !/^(SET|ROLLBACK|the start)|, then /.test(fired);
}

/** After a fault, 5xx and "still in progress" leave the outcome unknown. */
function isConclusive({ status, body }: Reply, fired: string | undefined): boolean {
  const isProcessing = body?.error?.code === 'idempotency-key-processing';
  return status < 500 && (fired === undefined || !isProcessing);
}

function ignoringReports(state: State, order: ModelOrder): State {
  const found = state.orders[order.key];
  if (typeof found !== 'object' || found === null) return state;
  return {
    ...state,
    orders: {
      ...state.orders,
      [order.key]: { ...found, reports: order.reports.map(({ amount, isDone }) => [amount, isDone]) },
    },
  };
}
