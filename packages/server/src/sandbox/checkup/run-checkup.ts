import { setTimeout as sleep } from 'node:timers/promises';
import type { Checkup } from '@keyport/contract/sandbox/sandbox';
import { isOrderId, isProductId } from '@keyport/core/ids';
import { operationKey } from '@keyport/core/orders/reservations';
import { requireFound } from '@keyport/http/replies/api-error';
import { parseTime } from '@keyport/http/validation/query';
import { WRITE_INTERVAL_MS } from '../../request-log/request-log.ts';
import type { SandboxDeps } from '../deps.ts';
import { type ClientRequest, describeRequest, toOrders, toStarts } from './client-request.ts';
import { judgeClient } from './judge.ts';
import { listNeighbours } from './judge-keys.ts';
import type { ProbeWebhooks } from './probe-webhooks.ts';
import { findAccountOfClient, listMeanings, listPlaced, listReserved } from './records.sql.ts';

const HISTORY_MAX = 5_000;
const OTHERS_WRITE_MS = 250;

export type CheckupDeps = SandboxDeps & {
  readonly probeWebhooks: ProbeWebhooks;
};

export async function runCheckup(
  deps: CheckupDeps,
  { clientId, accountId, since }: { clientId: string; accountId: string; since: string | undefined },
): Promise<Checkup> {
  const { database, publicUrl, fingerprint, countProducts, keysWindowHours, nodeCount } = deps;
  const fromMicros = Math.max(0, parseTime('query.since', since) ?? 0);
  // Other nodes may not have written their latest requests yet.
  const written = nodeCount() > 1 ? sleep(WRITE_INTERVAL_MS + OTHERS_WRITE_MS) : undefined;
  const [probes] = await Promise.all([deps.probeWebhooks(accountId), written]);
  const { rows, gapUntilMicros } = await deps.readHistory(accountId, {
    clientId,
    fromMicros,
    limit: HISTORY_MAX,
  });
  const history = rows
    .flatMap((row) => describeRequest(row, fingerprint) ?? [])
    .filter(({ operation }) => operation !== 'getCheckup');
  const orders = toOrders(history);
  /** Maps an order's stored key to the key that the client sent. */
  const keys = new Map(
    orders.map(({ operation, key }) => [operation === 'createOrder' ? key : operationKey(key, 'order'), key]),
  );
  const reservationKeys = new Map(
    toStarts(history)
      .filter(({ operation }) => operation === 'createReservation')
      .map(({ key }) => [operationKey(key, 'reserve'), key]),
  );
  const orderIds = listDistinct(history, ({ ids = [] }) => ids.flatMap(listNeighbours)).filter(isOrderId);
  const wanted = listDistinct(history, ({ wanted = [] }) => wanted.filter((id) => !isProductId(id)));
  const placed = await listPlaced(database.db, accountId, {
    keys: [...keys.keys()],
    orderIds,
    keysWindowHours,
  });
  const reserved = await listReserved(database.db, accountId, [...reservationKeys.keys()]);
  const surroundings = {
    gapUntilMs: gapUntilMicros / 1000,
    productCount: countProducts(),
    placed: placed.map((order) => ({ ...order, key: keys.get(order.key ?? '') ?? order.key })),
    reserved: reserved.map(({ key, ...made }) => ({ ...made, key: reservationKeys.get(key) ?? key })),
    meanings: await listMeanings(database.db, wanted),
    probes,
  };
  return judgeClient(history, surroundings, publicUrl());
}

/** Throws not-found, also for a client of another account than `accountId`. */
export async function runCheckupOfClient(
  deps: CheckupDeps,
  wanted: { clientId: string; accountId: string | undefined; since: string | undefined },
): Promise<Checkup> {
  const { clientId, since } = wanted;
  const found = await findAccountOfClient(deps.database.db, clientId);
  const accountId = requireFound((wanted.accountId ?? found) === found ? found : undefined, 'client');
  return runCheckup(deps, { clientId, accountId, since });
}

function listDistinct(
  history: readonly ClientRequest[],
  toValues: (seen: ClientRequest) => readonly string[],
): string[] {
  return [...new Set(history.flatMap(toValues))];
}
