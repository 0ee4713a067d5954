/**
 * Responses that no correct service could send are problems immediately; audit.ts checks what needs the
 * database. R25, R26.
 */
import { createHash } from 'node:crypto';
import { amountsInResponse } from '../../packages/server/test/support/order-recorder.ts';
import { EventFollower } from './event-follower.ts';
import type { Response } from './http.ts';
import type { Buyer } from './shop.ts';

type Acknowledged = {
  readonly id: string;
  readonly amounts: ReturnType<typeof amountsInResponse>;
  /** The record holds thousands of orders. */
  readonly digest: string;
};

type Outcome =
  | { readonly kind: 'ordered'; readonly order: Acknowledged }
  | { readonly kind: 'rejected'; readonly code: string };

export type SentOrder = {
  readonly buyer: Buyer;
  readonly key: string;
  readonly item: unknown;
  outcome: Outcome | undefined;
  isCreatedReported: boolean;
  codes: readonly string[] | undefined;
};

/** They are stored and therefore remain the key's response (A39). */
const STORED_REJECTIONS = new Set(['offer-not-available', 'max-price-exceeded', 'insufficient-funds']);

/** After these, the order must be retried with the same key. */
const UNDECIDED_STATUSES = new Set([408, 409, 429, 500, 503]);

export class CallRecord {
  readonly sent: SentOrder[] = [];
  readonly problems: string[] = [];
  readonly followers: { readonly buyer: Buyer; readonly follower: EventFollower }[] = [];
  /** By kind: `POST 201`, `POST 409`, `GET 200`, `POST no response`… */
  readonly counts: Record<string, number> = {};
  /** Orders with an unknown outcome after the last attempt. */
  givenUpCount = 0;
  /** Measured from a request to its response, by method. */
  readonly longestResponseMs: Record<string, number> = {};
  /** Measured from the first attempt of an order to its outcome. */
  longestOrderMs = 0;

  static merge(records: readonly CallRecord[]): CallRecord {
    const all = new CallRecord();
    for (const { sent, problems, followers } of records) {
      all.followers.push(...followers);
      for (const order of sent) all.sent.push(order);
      all.problems.push(...problems);
    }
    return all;
  }

  send(buyer: Buyer, key: string, item: unknown): SentOrder {
    const order = { buyer, key, item, outcome: undefined, isCreatedReported: false, codes: undefined };
    this.sent.push(order);
    return order;
  }

  followerOf(buyer: Buyer): EventFollower {
    const known = this.followers.find((one) => one.buyer === buyer);
    if (known !== undefined) return known.follower;
    const follower = new EventFollower();
    this.followers.push({ buyer, follower });
    return follower;
  }

  count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  summary() {
    const { givenUpCount: givenUp, counts: responses } = this;
    const longestResponseMs = Object.fromEntries(
      Object.entries(this.longestResponseMs).map(([method, ms]) => [method, Math.round(ms)]),
    );
    return { givenUp, longestOrderMs: Math.round(this.longestOrderMs), longestResponseMs, responses };
  }

  recordDuration(method: string, ms: number): void {
    this.longestResponseMs[method] = Math.max(this.longestResponseMs[method] ?? 0, ms);
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  recordOrder(sent: SentOrder, response: Response): void {
    const { status } = response;
    const body = response.json();
    if (status === 200 || status === 201) this.#recordAcknowledged(sent, status, body);
    else if (status === 400 || status === 402) this.#recordRejected(sent, body?.error?.code);
    else if (!UNDECIDED_STATUSES.has(status)) {
      this.problem(`${sent.key}: unexpected ${status} ${JSON.stringify(body)}`);
    }
  }

  recordCodes(sent: SentOrder, response: Response): void {
    const codes = toCodes(response);
    const known = sent.codes;
    if (known !== undefined && known.join() !== codes.join()) {
      this.problem(`${sent.key}: its codes were different before`);
    }
    sent.codes = codes;
  }

  #recordAcknowledged(sent: SentOrder, status: number, body: ReturnType<Response['json']>): void {
    const digest = createHash('sha256').update(JSON.stringify(body.data)).digest('base64');
    const order = { id: body.data.id, amounts: amountsInResponse({ body }), digest };
    const { outcome } = sent;
    if (outcome?.kind === 'rejected')
      this.problem(`${sent.key}: ${status} after the rejection ${outcome.code}`);
    if (outcome?.kind === 'ordered' && outcome.order.digest !== digest) {
      this.problem(
        `${sent.key}: order ${order.id} now, and ${outcome.order.id} before, or different content`,
      );
    }
    if (status === 201 && sent.isCreatedReported) this.problem(`${sent.key}: 201 twice`);
    sent.isCreatedReported ||= status === 201;
    sent.outcome = { kind: 'ordered', order };
  }

  #recordRejected(sent: SentOrder, code: string): void {
    const { outcome } = sent;
    if (!STORED_REJECTIONS.has(code)) this.problem(`${sent.key}: unexpected rejection ${code}`);
    if (outcome?.kind === 'ordered') this.problem(`${sent.key}: ${code} after the order ${outcome.order.id}`);
    if (outcome?.kind === 'rejected' && outcome.code !== code) {
      this.problem(`${sent.key}: ${code} now, and ${outcome.code} before`);
    }
    sent.outcome = { kind: 'rejected', code };
  }
}

export function toCodes(response: Response): string[] {
  const items: { keys: { code: string }[] }[] = response.json().data;
  return items.flatMap(({ keys }) => keys.map(({ code }) => code));
}
