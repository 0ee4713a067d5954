/**
 * Knows, for every client seen on this node, whether its tokens are still good and from where, and reads that again from
 * the database every second with one statement for all of them: a client that is disabled, or whose account is closed, or
 * that calls from elsewhere than it may, is rejected on every node soon after. While the database cannot be read, the last
 * known state stays. A24, A188.
 */
import type { Role } from '@keyport/contract/roles';
import { type AddressSet, addressSetOf } from '@keyport/http/admission/addresses';
import type { OwnLimits } from '@keyport/http/admission/rate-limit';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import { type ActiveClient, listActiveClients } from './clients.sql.ts';

/** With the limits below, a change is seen within 3 s even when one read hangs; A24 allows 5 s. */
const READ_INTERVAL_MS = 1_000;

/** A transaction for a single read: it brings the limits with it. */
const LIMITS = { statementTimeoutMs: 1_000, deadlineMs: 2_000 };

/** Kept with every verified token of the client, and checked on every request. */
export type ClientState = {
  isActive: boolean;
  /** Undefined for a reseller. */
  operatorRole: Role | undefined;
  /** False: it is no longer refreshed, and its holder requests a new one. */
  isFollowed: boolean;
  allowed: AddressSet | undefined;
  isReadOnly: boolean;
  ownLimits: OwnLimits | undefined;
  allowedAddresses: readonly string[];
  /** When the last token of the client that was seen here ends; then the state is no longer needed. */
  neededUntilMs: number;
  /** The number of the newest read that has been applied: results of older reads that come later are dropped. */
  appliedRead: number;
};

export type ClientStates = {
  /**
   * The state, kept up to date at least until the given time. Read from the database when it is not known yet; throws
   * what the database throws.
   */
  need(clientId: string, untilMs: number): Promise<ClientState>;
  /** Where the client's tokens are good, once its state was needed; undefined: everywhere. */
  allowedFor(clientId: string): AddressSet | undefined;
  isReadOnly(clientId: string): boolean;
  ownLimitsOf(clientId: string): OwnLimits | undefined;
  tick(): Promise<void>;
  /** Reads one client's state at once, for the node on which it was changed. */
  refreshClient(clientId: string): Promise<void>;
  start(): void;
  stop(): void;
};

const UNKNOWN = {
  isActive: false,
  isFollowed: true,
  operatorRole: undefined,
  allowed: undefined,
  isReadOnly: false,
  ownLimits: undefined,
  allowedAddresses: [],
};

/** Undefined: the client is not active. */
function apply(state: ClientState, client: ActiveClient | undefined): void {
  state.isActive = client !== undefined;
  if (client === undefined) return;
  state.operatorRole = client.operatorRole ?? undefined;
  state.ownLimits = client.ownLimits;
  state.isReadOnly = client.isReadOnly;
  if (isSameList(client.allowedAddresses, state.allowedAddresses)) return;
  state.allowedAddresses = client.allowedAddresses;
  state.allowed = addressSetOf(client.allowedAddresses);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

export function createClientStates(deps: {
  database: Database;
  nowMs: () => number;
  onError: (error: unknown) => void;
}): ClientStates {
  const { database, nowMs, onError } = deps;
  const states = new Map<string, ClientState>();
  const pending = new Map<string, Promise<ClientState>>();
  let readCount = 0;

  async function readActive(clientIds: readonly string[]) {
    readCount += 1;
    const thisRead = readCount;
    const active = await runTransaction(database, LIMITS, (tx) => listActiveClients(tx, clientIds));
    return { thisRead, active: new Map(active.map((client) => [client.id, client])) };
  }

  async function readAgain(clientIds: readonly string[]): Promise<void> {
    const { thisRead, active } = await readActive(clientIds);
    for (const clientId of clientIds) {
      const state = states.get(clientId);
      if (state === undefined || state.appliedRead > thisRead) continue;
      state.appliedRead = thisRead;
      apply(state, active.get(clientId));
    }
  }

  async function readFirst(clientId: string, untilMs: number): Promise<ClientState> {
    const { thisRead, active } = await readActive([clientId]);
    const state: ClientState = { ...UNKNOWN, neededUntilMs: untilMs, appliedRead: thisRead };
    apply(state, active.get(clientId));
    states.set(clientId, state);
    return state;
  }

  /** Requests that come together with a client's first one share its read. */
  function readFirstOnce(clientId: string, untilMs: number): Promise<ClientState> {
    const underWay = pending.get(clientId);
    if (underWay !== undefined) return underWay;
    const reading = readFirst(clientId, untilMs).finally(() => pending.delete(clientId));
    pending.set(clientId, reading);
    return reading;
  }

  async function tick(): Promise<void> {
    for (const [clientId, state] of states) {
      if (state.neededUntilMs >= nowMs()) continue;
      states.delete(clientId);
      // Its tokens are good again after a clock that went ahead has been put back.
      state.isFollowed = false;
    }
    if (states.size > 0) await readAgain([...states.keys()]);
  }

  const task = new RepeatedTask({ intervalMs: READ_INTERVAL_MS, work: tick, onFailure: onError });

  return {
    async need(clientId, untilMs) {
      const state = states.get(clientId) ?? (await readFirstOnce(clientId, untilMs));
      state.neededUntilMs = Math.max(state.neededUntilMs, untilMs);
      return state;
    },
    allowedFor: (clientId) => states.get(clientId)?.allowed,
    isReadOnly: (clientId) => states.get(clientId)?.isReadOnly ?? false,
    ownLimitsOf: (clientId) => states.get(clientId)?.ownLimits,
    tick,
    async refreshClient(clientId) {
      await pending.get(clientId);
      if (states.has(clientId)) await readAgain([clientId]);
    },
    start: () => task.start('later'),
    stop: () => void task.close(),
  };
}
