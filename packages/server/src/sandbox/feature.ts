/** Loaded in sandbox mode only. */
import type { OfferChange } from '@keyport/contract/catalogue/offer-changes';
import type { OperationName } from '@keyport/contract/operations';
import { isCheckout } from '@keyport/contract/sandbox/scenarios';
import { must } from '@keyport/core/assert';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import { operationKey } from '@keyport/core/orders/reservations';
import type { Route } from '@keyport/http/server/exchange';
import type { Access } from '../access/feature.ts';
import type { Acting } from '../audit/action.ts';
import type { CatalogueFeature } from '../catalogue/feature.ts';
import type { Tx } from '../db/schema.ts';
import type { Events } from '../events/feature.ts';
import { changeOffer } from '../listings/change-offers.ts';
import type { SandboxMode } from '../operations/sandbox-mode.ts';
import { keyOwnerOf } from '../operations/writes/run-write.ts';
import type { Orders } from '../orders/feature.ts';
import { describeKeysRejection } from '../orders/keys/read-keys.ts';
import type { Platform } from '../platform.ts';
import type { Stock } from '../stock/feature.ts';
import type { Webhooks } from '../webhooks/feature.ts';
import { buildCheckupHandlers } from './checkup/checkup.routes.ts';
import { createProbeWebhooks } from './checkup/probe-webhooks.ts';
import { Recorder } from './checkup/recorder.ts';
import { buildSandboxOperations } from './operations.routes.ts';
import { hasOrderRecord, hasWriteRecord } from './orders.sql.ts';
import { findRateLimits } from './rate-limits.sql.ts';
import { createRehearse } from './rehearse.ts';
import { rehearseToken, TOKEN_PATH } from './rehearse-token.ts';
import type { SettleOrderDeps } from './settle-order.ts';

type Played = {
  readonly hasGateway: boolean;
  readonly access: Access;
  readonly catalogue: CatalogueFeature;
  readonly events: Events;
  readonly orders: Orders;
  readonly stock: Stock;
  readonly webhooks: Webhooks;
};

function recordedKey(name: OperationName, idempotencyKey: string): string {
  if (name === 'createReservation') return operationKey(idempotencyKey, 'reserve');
  return name === 'orderReservation' ? operationKey(idempotencyKey, 'order') : idempotencyKey;
}

export function openSandbox(platform: Platform, played: Played) {
  const options = optionsOf(platform, played);
  const closing = new AbortController();
  const { kysely } = options.database;
  const recorder = new Recorder(options);
  const mode: SandboxMode = {
    handlers: {
      ...buildSandboxOperations(options),
      ...buildCheckupHandlers({ ...options, recorder, probeWebhooks: createProbeWebhooks(options) }),
    },
    rehearse: createRehearse({
      ...options,
      closing: closing.signal,
      hasResult: async ({ operation, principal }, idempotencyKey) => {
        return isCheckout(operation) && principal.role === 'reseller'
          ? hasOrderRecord(kysely, principal.accountId, recordedKey(operation.name, idempotencyKey))
          : hasWriteRecord(kysely, {
              callerId: keyOwnerOf(operation, principal),
              operation: operation.name,
              idempotencyKey,
            });
      },
    }),
    onOrder: ({ request }, body) => recorder.onOrder(request, body),
  };
  return {
    mode,
    rehearseTokens: (routes: readonly Route[]) =>
      routes.map((route) =>
        route.path === TOKEN_PATH ? rehearseToken(route, played.access.rejectToken, closing.signal) : route,
      ),
    findRateLimits: (accountId: string) => findRateLimits(kysely, accountId),
    onRequestEnd: recorder.onRequestEnd,
    start: () => recorder.start(),
    close: () => recorder.close(),
    /** Their responses are sent before the connections are closed. */
    endDelays: () => closing.abort(),
  };
}

function optionsOf(
  { config, database, publicUrl, log }: Platform,
  { hasGateway, access, catalogue, events, orders, stock, webhooks }: Played,
) {
  const { keysWindowHours } = config;
  const completedAtMicros = () => Date.now() * 1000 - (keysWindowHours + 1) * MICROS_PER_HOUR;
  const settle: SettleOrderDeps['settle'] = async (tx, orderId, verdict) => {
    const settlement = must(orders.settlement, 'an order that waits for a payment has a provider');
    return settlement.settleIn(tx, must(await orders.lock(tx, orderId), 'an order'), verdict);
  };
  return {
    database,
    publicUrl,
    hasGateway,
    fingerprint: orders.fingerprint,
    countProducts: () => catalogue.catalogue.listedCount,
    keysWindowHours,
    onFailure: (error: unknown) =>
      log.warn({ err: error }, 'what was seen of clients could not be written; it is lost'),
    perSecondOf: (clientId: string, budget: 'reads' | 'orders') =>
      access.rateLimit?.perSecondOf(clientId, budget) ?? 0,
    describeKeys: {
      'order-not-complete': () =>
        describeKeysRejection(
          { code: 'order-not-complete', status: 'processing', isRetryable: true },
          keysWindowHours,
        ),
      'order-expired': () =>
        describeKeysRejection(
          { code: 'order-expired', completedAtMicros: completedAtMicros() },
          keysWindowHours,
        ),
    },
    actions: orders.actions,
    lockOrder: orders.lock,
    showOrder: orders.show,
    advanceReservation: orders.advanceReservation,
    showReservation: orders.showReservation,
    settle,
    tellExpiring: (tx: Tx, orderId: string) => events.expiringKeys.tellIfDue(tx, orderId),
    runWorkers: async () => {
      await orders.worker.run();
      events.worker.announce();
    },
    listTargets: webhooks.listTargets,
    sign: webhooks.sign,
    send: webhooks.send,
    onAccountChanged: access.onAccountChanged,
    readStates: access.readStates,
    changeOffer: (acting: Acting, change: OfferChange) => async (tx: Tx) => {
      const { isVisible, ...written } = await changeOffer(tx, stock, acting, change);
      return { ...written, ...(isVisible && { onCommitted: catalogue.onCatalogueChanged }) };
    },
    onCatalogueChanged() {
      catalogue.onCatalogueChanged();
      events.worker.announce();
    },
  };
}
