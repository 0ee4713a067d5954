/** Reads the states of this node's clients every second, to notice changes made on other nodes. A24, A188. */
import type { Role } from '@keyport/contract/roles';
import { type AddressSet, toAddressSet } from '@keyport/http/admission/addresses';
import type { OwnLimits } from '@keyport/http/server/principal';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import { toSecretId } from './client-secrets.ts';
import { type ActiveClient, listActiveClients } from './clients.sql.ts';

/** A change takes effect within 3 s even if a read hangs; A24 allows 5 s. */
const READ_INTERVAL_MS = 1_000;
const LIMITS = { statementTimeoutMs: 1_000, deadlineMs: 2_000 };

export type ClientState = {
  isActive: boolean;
  operatorRole: Role | undefined;
  /** The names of the live secrets in tokens. */
  secretIds: readonly string[];
  /** False when the state is no longer refreshed. */
  isFollowed: boolean;
  allowed: AddressSet | undefined;
  isReadOnly: boolean;
  ownLimits: OwnLimits | undefined;
  allowedAddresses: readonly string[];
  /** When the client's last token expires. */
  neededUntilMs: number;
  /** The number of the last applied read; older reads are ignored. */
  appliedRead: number;
};

export type ClientStates = ReturnType<typeof createClientStates>;

const UNKNOWN = {
  isActive: false,
  isFollowed: true,
  operatorRole: undefined,
  secretIds: [],
  allowed: undefined,
  isReadOnly: false,
  ownLimits: undefined,
  allowedAddresses: [],
};

function apply(state: ClientState, client: ActiveClient | undefined): void {
  state.isActive = client !== undefined;
  if (client === undefined) return;
  state.operatorRole = client.operatorRole ?? undefined;
  state.secretIds = client.liveMacs.map(toSecretId);
  state.ownLimits = client.ownLimits;
  state.isReadOnly = client.isReadOnly;
  if (isSameList(client.allowedAddresses, state.allowedAddresses)) return;
  state.allowedAddresses = client.allowedAddresses;
  state.allowed = toAddressSet(client.allowedAddresses);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

export function createClientStates({
  database,
  nowMs,
  onError,
}: {
  database: Database;
  nowMs: () => number;
  onError: (error: unknown) => void;
}) {
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

  function readFirstOnce(clientId: string, untilMs: number): Promise<ClientState> {
    const inProgress = pending.get(clientId);
    if (inProgress !== undefined) return inProgress;
    const reading = readFirst(clientId, untilMs).finally(() => pending.delete(clientId));
    pending.set(clientId, reading);
    return reading;
  }

  async function tick(): Promise<void> {
    for (const [clientId, state] of states) {
      if (state.neededUntilMs >= nowMs()) continue;
      states.delete(clientId);
      // A corrected clock can make cached tokens valid again; by then this state is stale.
      state.isFollowed = false;
    }
    if (states.size > 0) await readAgain([...states.keys()]);
  }

  const task = new RepeatedTask({ intervalMs: READ_INTERVAL_MS, work: tick, onFailure: onError });

  return {
    /** Keeps the state current until at least `untilMs`. Throws database errors. */
    async need(clientId: string, untilMs: number): Promise<ClientState> {
      const state = states.get(clientId) ?? (await readFirstOnce(clientId, untilMs));
      state.neededUntilMs = Math.max(state.neededUntilMs, untilMs);
      return state;
    },
    /** Undefined if all addresses are allowed. */
    allowedFor: (clientId: string) => states.get(clientId)?.allowed,
    isReadOnly: (clientId: string) => states.get(clientId)?.isReadOnly ?? false,
    ownLimitsOf: (clientId: string) => states.get(clientId)?.ownLimits,
    tick,
    async refreshClient(clientId: string) {
      await pending.get(clientId);
      if (states.has(clientId)) await readAgain([clientId]);
    },
    start: () => task.start('later'),
    stop: () => void task.close(),
  };
}
