import { setTimeout as sleep } from 'node:timers/promises';
import type { Checkup } from '@keyport/contract/sandbox/sandbox';
import { isOrderId, isProductId } from '@keyport/core/ids';
import { operationKey } from '@keyport/core/orders/reservations';
import { requireFound } from '@keyport/http/replies/api-error';
import { parseTime } from '@keyport/http/validation/query';
import type { SandboxDeps } from '../deps.ts';
import { type ClientRequest, orderIdOf } from './client-request.ts';
import { judgeClient } from './judge.ts';
import { ordersOf } from './judge-orders.ts';
import type { ProbeWebhooks } from './probe-webhooks.ts';
import { type Recorder, WRITE_INTERVAL_MS } from './recorder.ts';
import { findAccountOfClient, listPlaced, listReserved, listWantedProducts } from './records.sql.ts';

export type CheckupDeps = SandboxDeps & {
  readonly recorder: Recorder;
  readonly probeWebhooks: ProbeWebhooks;
};

export async function runCheckup(
  deps: CheckupDeps,
  { clientId, accountId, since }: { clientId: string; accountId: string; since: string | undefined },
): Promise<Checkup> {
  const { database, recorder, publicUrl, countProducts, keysWindowHours, probeWebhooks } = deps;
  const sinceMs = (parseTime('query.since', since) ?? 0) / 1000;
  const probes = await probeWebhooks(accountId);
  // Other nodes may not have written their latest requests yet.
  if (database.kind !== 'embedded') await sleep(2 * WRITE_INTERVAL_MS);
  const seen = await recorder.list(clientId, sinceMs);
  const history = seen.filter(({ operation }) => operation !== 'getCheckup');
  const orders = ordersOf(history);
  /** Maps an order's stored key to the key that the client sent. */
  const keys = new Map(
    orders.map(({ operation, key }) => [operation === 'createOrder' ? key : operationKey(key, 'order'), key]),
  );
  const reservationKeys = new Map(
    history.flatMap(({ operation, key }) =>
      operation === 'createReservation' && key !== undefined ? [[operationKey(key, 'reserve'), key]] : [],
    ),
  );
  const orderIds = distinctOf(history, ordersOfKeyReads);
  const wanted = distinctOf(history, ({ wanted = [] }) => wanted.filter((id) => !isProductId(id)));
  const placed = await listPlaced(database.db, accountId, {
    keys: [...keys.keys()],
    orderIds,
    keysWindowHours,
  });
  const reservations = await listReserved(database.db, accountId, [...reservationKeys.keys()]);
  const surroundings = {
    productCount: countProducts(),
    placed: placed.map((order) => ({ ...order, key: keys.get(order.key ?? '') ?? order.key })),
    reservations: reservations.map((one) => ({ ...one, key: reservationKeys.get(one.key) ?? one.key })),
    productOf: await listWantedProducts(database.db, wanted),
    probes,
  };
  return judgeClient(history, surroundings, publicUrl());
}

/** Throws not-found. */
export async function runCheckupOfClient(
  deps: CheckupDeps,
  { clientId, since }: { clientId: string; since: string | undefined },
): Promise<Checkup> {
  const accountId = requireFound(await findAccountOfClient(deps.database.db, clientId), 'client');
  return runCheckup(deps, { clientId, accountId, since });
}

function ordersOfKeyReads(seen: ClientRequest): string[] {
  return seen.operation === 'getOrderKeys' ? [orderIdOf(seen)].filter(isOrderId) : [];
}

function distinctOf(
  history: readonly ClientRequest[],
  valuesOf: (seen: ClientRequest) => readonly string[],
): string[] {
  return [...new Set(history.flatMap(valuesOf))];
}
