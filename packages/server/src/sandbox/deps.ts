import type { OfferChange } from '@keyport/contract/catalogue/offer-changes';
import { must } from '@keyport/core/assert';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import type { Access } from '../access/feature.ts';
import type { Acting } from '../audit/action.ts';
import type { CatalogueFeature } from '../catalogue/feature.ts';
import type { Tx } from '../db/schema.ts';
import type { Events } from '../events/feature.ts';
import { changeOffer } from '../listings/change-offers.ts';
import type { Orders } from '../orders/feature.ts';
import { describeKeysRejection } from '../orders/keys/read-keys.ts';
import type { Platform } from '../platform.ts';
import type { Requests } from '../request-log/feature.ts';
import type { Stock } from '../stock/feature.ts';
import type { Webhooks } from '../webhooks/feature.ts';

export type Played = {
  readonly hasGateway: boolean;
  readonly access: Access;
  readonly catalogue: CatalogueFeature;
  readonly events: Events;
  readonly orders: Orders;
  readonly requests: Requests;
  readonly stock: Stock;
  readonly webhooks: Webhooks;
};

export type SandboxDeps = ReturnType<typeof buildDeps>;

/** Resellers play the operators and the payment provider through the same code. */
export function buildDeps(
  { config, database, publicUrl, nodeCount }: Platform,
  { hasGateway, access, catalogue, events, orders, requests, stock, webhooks }: Played,
) {
  const { keysWindowHours } = config;
  const completedAtMicros = () => Date.now() * 1000 - (keysWindowHours + 1) * MICROS_PER_HOUR;
  type Verdict = Parameters<NonNullable<Orders['settlement']>['settleIn']>[2];
  return {
    database,
    publicUrl,
    hasGateway,
    fingerprint: orders.fingerprint,
    countProducts: () => catalogue.catalogue.listedCount,
    keysWindowHours,
    readHistory: requests.readHistory,
    nodeCount,
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
    /** Returns whether the catalogue changed. */
    async settle(tx: Tx, orderId: string, verdict: Verdict): Promise<boolean> {
      const settlement = must(orders.settlement, 'an order that waits for a payment has a provider');
      return settlement.settleIn(tx, must(await orders.lock(tx, orderId), 'an order'), verdict);
    },
    /**
     * Writes the event for unread keys that expire soon or have expired. Must be its transaction's last step.
     */
    tellExpiring: (tx: Tx, orderId: string) => events.expiringKeys.announceIfDue(tx, orderId),
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
