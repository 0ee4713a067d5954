/**
 * A service with its own database whose connections are cut. A session that keeps its locks blocks no other
 * lane.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { verifyInvariants } from '../../../packages/server/src/verify/verify.ts';
import { cloneTemplate, connectTo, type Owner } from '../../../packages/server/test/support/database.ts';
import {
  type ApiResponse,
  type Harness,
  startHarness,
} from '../../../packages/server/test/support/harness.ts';
import type { WireMessage } from './cuts-framing.ts';
import { type CutConnection, type CutProxy, openCutProxy } from './cuts-proxy.ts';

export type Subject = {
  /** Whether this message of a node opens the exchange to cut. */
  readonly opens: (message: WireMessage) => boolean;
  /** See `ProxyOptions`. */
  readonly uses?: (message: WireMessage) => boolean;
  readonly connections: readonly CutConnection[];
  readonly prepare: (place: Place) => Promise<Command>;
};

export type Place = {
  readonly h: Harness;
  readonly admin: Client;
  readonly actionCountMax: number;
};

/**
 * Does one thing, retries until its outcome is known, and asserts that it happened once. Calls back after the
 * first response, because retries must not be cut. Returns all statuses.
 */
export type Command = (onFirstResponse: () => void) => Promise<readonly number[]>;

export type Lane = {
  readonly proxy: CutProxy;
  readonly action: Command;
  shortenDeadlines(): void;
  forgetConnections(): Promise<void>;
  verify(): Promise<void>;
};

/** Both are 10 s in production; hundreds of stalls must end within a minute. */
const NODE_DEADLINE_MS = 800;
const STALL_MAX_MS = 1100;
const LATE_MS = 60;

/** Connections for successive actions, the workers and the feed. */
const POOL_SIZE_MAX = 4;

const RETRY_SPEED_UP = 20;
const ATTEMPTS_MAX = 200;

export async function openLane(
  owner: Owner,
  subject: Subject,
  options: {
    readonly serverUrl: string;
    readonly actionCountMax: number;
  },
): Promise<Lane> {
  const url = await cloneTemplate(owner, options.serverUrl);
  const admin = await connectTo(owner, url);
  const proxy = await openCutProxy(owner, url, {
    opens: subject.opens,
    uses: subject.uses,
    stallMaxMs: STALL_MAX_MS,
    lateMs: LATE_MS,
  });
  // On a busy machine the start and the checks take longer.
  let deadlineMs = Number.POSITIVE_INFINITY;
  const h = await startHarness(
    owner,
    {},
    {
      url: proxy.url,
      dataDir: 'memory',
      poolSizeMax: POOL_SIZE_MAX,
      transactionDeadlineMaxMs: () => deadlineMs,
    },
  );
  const action = await subject.prepare({ h, admin, actionCountMax: options.actionCountMax });
  // The first order of an account's day reads more than the others.
  await action(() => {});
  return {
    proxy,
    action,
    shortenDeadlines() {
      deadlineMs = NODE_DEADLINE_MS;
    },
    async forgetConnections() {
      // A worker may open another connection in between.
      while (h.database.poolUse().idle > 0) {
        proxy.drop();
        await sleep(1);
      }
    },
    async verify() {
      deadlineMs = Number.POSITIVE_INFINITY;
      const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
      assert.deepEqual(broken, []);
    },
  };
}

/** The maximum of one request. */
const KEYS_MAX = 1000;

export async function openOffer({ h }: Place, priceMinor: number, stock: number) {
  const { offerId } = await h.seed.listing({ price: (priceMinor / 100).toFixed(2), stock: 0 });
  const codes: string[] = [];
  for (let left = stock; left > 0; left -= KEYS_MAX)
    codes.push(...(await h.seed.keys(offerId, Math.min(left, KEYS_MAX))));
  return { offerId, codes };
}

/** After these codes the outcome is unknown. */
const UNDECIDED: readonly string[] = ['idempotency-key-processing', 'service-unavailable'];

/** Retries until a response is final. */
export async function persist(
  send: (attempt: number) => Promise<ApiResponse>,
  onFirstResponse: () => void = () => {},
): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const response = await send(attempt);
    responses.push(response);
    if (attempt === 0) onFirstResponse();
    if (response.status < 400 || !UNDECIDED.includes(response.body.error.code)) return responses;
    await waitForRetryAfter(response);
  }
  assert.fail(`no final response: ${responses.map(({ status }) => status).join(' ')}`);
}

async function waitForRetryAfter({ headers }: ApiResponse): Promise<void> {
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1, 'a response that is not final has Retry-After');
  await sleep((seconds * 1000) / RETRY_SPEED_UP);
}
