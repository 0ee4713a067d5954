/** The check-up: what was seen of the client that asks for it, judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDateTime } from '@keyport/core/date-time';
import type { Database } from '../../db/database.ts';
import { invalidField } from '../../http/api-error.ts';
import type { SandboxHandlers } from '../../http/operation.ts';
import { judgeClient } from './judge.ts';
import { orderIdOf } from './judge-orders.ts';
import type { ProbeWebhooks } from './probe-webhooks.ts';
import { type Recorder, WRITE_INTERVAL_MS } from './recorder.ts';
import { listReadOrders } from './records.sql.ts';
import type { Seen } from './seen.ts';

export type CheckupDeps = {
  readonly database: Database;
  readonly recorder: Recorder;
  readonly publicUrl: () => string;
  /** Products on offer. */
  readonly countProducts: () => number;
  readonly probeWebhooks: ProbeWebhooks;
};

export function buildCheckupHandler(deps: CheckupDeps): Pick<SandboxHandlers, 'getCheckup'> {
  const { database, recorder, publicUrl, countProducts, probeWebhooks } = deps;
  return {
    async getCheckup({ principal, query }) {
      const sinceMs = parseSince(query.since);
      const probes = await probeWebhooks(principal.accountId);
      // By then other nodes have written what they have seen until now.
      if (database.kind !== 'embedded') await sleep(2 * WRITE_INTERVAL_MS);
      const seen = await recorder.list(principal.clientId, sinceMs);
      const history = seen.filter(({ operation }) => operation !== 'getCheckup');
      const readOrders = await listReadOrders(database.kysely, keysOrdersOf(history));
      const surroundings = { productCount: countProducts(), readOrders, probes };
      return { status: 200, data: judgeClient(history, surroundings, publicUrl()) };
    },
  };
}

function parseSince(text: string | undefined): number {
  if (text === undefined) return 0;
  const parsed = parseDateTime(text);
  if (!parsed.ok) throw invalidField('query.since', parsed.reason);
  return parsed.epochMicros / 1000;
}

function keysOrdersOf(history: readonly Seen[]): string[] {
  const ids = history.filter(({ operation }) => operation === 'getOrderKeys').map(orderIdOf);
  return [...new Set(ids)].filter((id) => /^\d{14,16}$/.test(id));
}
