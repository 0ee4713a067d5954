/** The check-up: what was seen of the client that asks for it, judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOrderId, isProductId } from '@keyport/core/ids';
import { requireFound } from '@keyport/http/replies/api-error';
import { parseTime } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import type { SandboxHandlers } from '../../operations/operation.ts';
import { judgeClient } from './judge.ts';
import type { ProbeWebhooks } from './probe-webhooks.ts';
import { type Recorder, WRITE_INTERVAL_MS } from './recorder.ts';
import { findAccountOfClient, listPlaced, listProductsOfOffers } from './records.sql.ts';
import { orderIdOf, type Seen } from './seen.ts';

export type CheckupDeps = {
  readonly database: Database;
  readonly recorder: Recorder;
  readonly publicUrl: () => string;
  /** Products on offer. */
  readonly countProducts: () => number;
  readonly keysWindowHours: number;
  readonly probeWebhooks: ProbeWebhooks;
};

export function buildCheckupHandler(
  deps: CheckupDeps,
): Pick<SandboxHandlers, 'getCheckup' | 'getClientCheckup'> {
  const { database, recorder, publicUrl, countProducts, keysWindowHours, probeWebhooks } = deps;
  const judge = async (clientId: string, accountId: string, since: string | undefined) => {
    const sinceMs = (parseTime('query.since', since) ?? 0) / 1000;
    const probes = await probeWebhooks(accountId);
    // By then other nodes have written what they have seen until now.
    if (database.kind !== 'embedded') await sleep(2 * WRITE_INTERVAL_MS);
    const seen = await recorder.list(clientId, sinceMs);
    const history = seen.filter(({ operation }) => operation !== 'getCheckup');
    const { kysely } = database;
    const surroundings = {
      productCount: countProducts(),
      placed: await listPlaced(kysely, accountId, {
        keys: distinctOf(history, ({ operation, key }) =>
          operation === 'createOrder' && key !== undefined ? [key] : [],
        ),
        orderIds: distinctOf(history, requestedKeys),
        keysWindowHours,
      }),
      productOf: await listProductsOfOffers(
        kysely,
        distinctOf(history, ({ wanted = [] }) => wanted.filter((id) => !isProductId(id))),
      ),
      probes,
    };
    return judgeClient(history, surroundings, publicUrl());
  };
  return {
    async getCheckup({ principal, query }) {
      return { status: 200, data: await judge(principal.clientId, principal.accountId, query.since) };
    },
    async getClientCheckup({ params: { clientId }, query }) {
      const accountId = requireFound(await findAccountOfClient(database.kysely, clientId), 'client');
      return { status: 200, data: await judge(clientId, accountId, query.since) };
    },
  };
}

function requestedKeys(seen: Seen): string[] {
  return seen.operation === 'getOrderKeys' ? [orderIdOf(seen)].filter(isOrderId) : [];
}

function distinctOf(history: readonly Seen[], of: (seen: Seen) => readonly string[]): string[] {
  return [...new Set(history.flatMap(of))];
}
