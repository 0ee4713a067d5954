/** Retries resolve every unknown outcome, then the responses are compared with the database. R25, R26. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../packages/server/src/db/engines/database.ts';
import {
  cents,
  listOrders,
  type StoredOrder,
  toAmounts,
} from '../../packages/server/test/support/order-recorder.ts';
import { compareEvents } from './events.ts';
import { call, fetchToken, operate } from './operator.ts';
import type { CallRecord, SentOrder } from './record.ts';
import type { Shop } from './shop.ts';
import { orderRequest } from './traffic.ts';

export type Audited = {
  readonly orders: number;
  readonly rejections: number;
  /** Orders whose outcome was unknown before the audit, and how many of them had been placed. */
  readonly unknown: number;
  readonly unknownWerePlaced: number;
  readonly codes: number;
};

type AuditOptions = {
  readonly record: CallRecord;
  readonly shop: Shop;
  readonly urls: readonly string[];
  readonly databaseUrl: string;
};

const CONCURRENCY = 16;
const RESOLVE_WITHIN_MS = 60_000;
const RESOLVE_PAUSE_MS = 200;
/** The newest orders, nearest to the last fault, are retried as well. */
const REPEATED_COUNT = 300;
const PROBLEMS_SHOWN = 20;

export async function audit(options: AuditOptions): Promise<Audited> {
  const { record, shop, urls, databaseUrl } = options;
  // The load's tokens may have expired, or may come from a node whose clock was wrong.
  for (const buyer of shop.buyers) buyer.token = await fetchToken(toNode(urls, 0), buyer.credentials);
  const unknown = record.sent.filter(({ outcome }) => outcome === undefined);
  await forAll(unknown, (sent, index) => resolve(options, sent, index));
  const acknowledged = record.sent.filter(({ outcome }) => outcome?.kind === 'ordered');
  await forAll(acknowledged.slice(-REPEATED_COUNT), (sent, index) => repeat(options, sent, index));
  await forAll(acknowledged, (sent, index) => readCodes(options, sent, index));

  const database = await openDatabase({ url: databaseUrl, dataDir: 'memory' });
  try {
    const accountIds = shop.accounts.map(({ id }) => id);
    const stored = await listOrders(database.db, accountIds);
    compareOrders(record, acknowledged, stored);
    compareCodes(record, acknowledged);
    await compareBalances(options, acknowledged);
  } finally {
    await database.close();
  }
  await compareEvents(record, acknowledged, (index) => toNode(urls, index));
  for (const url of urls) await checkInvariants(record, url);
  assert.deepEqual(record.problems.slice(0, PROBLEMS_SHOWN), [], `${record.problems.length} problems`);
  // An order that gets 201 only now was not placed before.
  const wasPlaced = (sent: SentOrder) => sent.outcome?.kind === 'ordered' && !sent.isCreatedReported;
  return {
    orders: acknowledged.length,
    rejections: record.sent.length - acknowledged.length,
    unknown: unknown.length,
    unknownWerePlaced: unknown.filter(wasPlaced).length,
    codes: acknowledged.reduce((sum, { codes }) => sum + (codes?.length ?? 0), 0),
  };
}

async function resolve(options: AuditOptions, sent: SentOrder, index: number): Promise<void> {
  const deadline = performance.now() + RESOLVE_WITHIN_MS;
  while (sent.outcome === undefined) {
    const status = await repeat(options, sent, index);
    assert.ok(performance.now() < deadline, `${sent.key} still gets ${status}`);
    if (sent.outcome === undefined) await sleep(RESOLVE_PAUSE_MS);
  }
}

async function repeat({ record, urls }: AuditOptions, sent: SentOrder, index: number): Promise<number> {
  const wasOrdered = sent.outcome?.kind === 'ordered';
  const response = await call(toNode(urls, index), orderRequest(sent));
  record.recordOrder(sent, response);
  if (wasOrdered && response.status !== 200)
    record.problem(`${sent.key}: ${response.status} when a finished order was repeated`);
  return response.status;
}

async function readCodes({ record, urls }: AuditOptions, sent: SentOrder, index: number): Promise<void> {
  if (sent.outcome?.kind !== 'ordered') return;
  const { id, amounts } = sent.outcome.order;
  const { token } = sent.buyer;
  const response = await call(toNode(urls, index), { path: `/export/v1/orders/${id}/keys`, token });
  if (response.status !== 200) return record.problem(`${sent.key}: its keys: ${response.text()}`);
  record.recordCodes(sent, response);
  if (sent.codes?.length !== amounts.quantity) record.problem(`${sent.key}: not as many codes as ordered`);
}

/** R26. */
function compareOrders(
  record: CallRecord,
  acknowledged: readonly SentOrder[],
  stored: ReadonlyMap<string, StoredOrder>,
): void {
  for (const { buyer, key, outcome } of acknowledged) {
    if (outcome?.kind !== 'ordered') continue;
    const { id, amounts } = outcome.order;
    const order = stored.get(id);
    if (order === undefined) {
      record.problem(`${key}: order ${id} was acknowledged and is lost`);
      continue;
    }
    const [actual, expected] = [toAmounts(order), { account: buyer.account.id, key, ...amounts }];
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      record.problem(
        `${key}: stored as ${JSON.stringify(actual)}, acknowledged as ${JSON.stringify(expected)}`,
      );
    }
    if (order.status !== 'complete') record.problem(`${key}: order ${id} is ${order.status}`);
    if (!order.isWithinMaxPrice) record.problem(`${key}: dearer than its maxPrice`);
  }
  if (stored.size !== acknowledged.length) {
    record.problem(`${stored.size} orders are stored, and ${acknowledged.length} keys were acknowledged`);
  }
}

/** R25. */
function compareCodes(record: CallRecord, acknowledged: readonly SentOrder[]): void {
  const keyByCode = new Map<string, string>();
  for (const { key, codes = [] } of acknowledged) {
    for (const code of codes) {
      const other = keyByCode.get(code);
      if (other !== undefined) record.problem(`one code was handed out for ${other} and for ${key}`);
      keyByCode.set(code, key);
    }
  }
}

async function compareBalances(
  { record, shop, urls }: AuditOptions,
  acknowledged: readonly SentOrder[],
): Promise<void> {
  const spent = new Map<string, number>();
  for (const { buyer, outcome } of acknowledged) {
    if (outcome?.kind !== 'ordered') continue;
    const sum = spent.get(buyer.account.id) ?? 0;
    spent.set(buyer.account.id, sum + cents(outcome.order.amounts.total));
  }
  for (const { id, depositedCents } of shop.accounts) {
    const { balance } = await operate(toNode(urls, 0), 'GET', `/accounts/${id}`);
    const expected = depositedCents - (spent.get(id) ?? 0);
    if (cents(balance) !== expected)
      record.problem(`account ${id} has ${cents(balance)} cents, but should have ${expected}`);
  }
}

async function checkInvariants(record: CallRecord, url: string): Promise<void> {
  const results: { id: string; title: string; broken: number; examples: string[] }[] = await operate(
    url,
    'GET',
    '/verify',
  );
  assert.ok(results.length > 0);
  for (const { id, title, broken, examples } of results) {
    if (broken > 0) record.problem(`${id} is violated ${broken} times: ${title}: ${examples.join('; ')}`);
  }
}

function toNode(urls: readonly string[], index: number): string {
  const url = urls[index % urls.length];
  assert.ok(url !== undefined, 'a node responds');
  return url;
}

async function forAll<T>(list: readonly T[], work: (one: T, index: number) => Promise<unknown>) {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < list.length; index = next++) {
      const one = list[index];
      if (one !== undefined) await work(one, index);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
