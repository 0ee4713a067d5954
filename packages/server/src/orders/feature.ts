/** Orders: placing them, paying them, reading them, and what operators do with them. */
import type { RiskRules } from '@keyport/core/risk-rules';
import type { Logger } from 'pino';
import type { DatabaseClock } from '../db/clock.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tracer } from '../in-span.ts';
import { loadHouseAccounts } from '../ledger/house-accounts.sql.ts';
import type { Gateway } from '../payments/gateway.ts';
import { buildOrderChangeHandlers, createOrderActions } from './changes/order-changes.routes.ts';
import { HistoryWorker } from './history/history-worker.ts';
import { buildOrderListHandlers } from './history/order-lists.routes.ts';
import { buildReadOrderHandlers } from './history/read-orders.routes.ts';
import { buildSoldKeysHandlers, type SoldKeysDeps } from './keys/sold-keys.routes.ts';
import { buildPaymentHandlers } from './payments/payments.routes.ts';
import { makeOpenPaymentsDue } from './payments/payments.sql.ts';
import { createSettlement } from './payments/settlement.ts';
import { buildCreateOrderHandler } from './placement/create-order.routes.ts';
import { Placement, type PlacementOptions } from './placement/placement.ts';
import { OrderWorker, type OrderWorkerOptions } from './workers.ts';

/**
 * Time between a provider's latest response and the commit of its outcome; the worker need not query before.
 */
const SETTLING_TIME_MS = 1000;

export type OrdersOptions = {
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly log: Logger;
  readonly tracer: Tracer;
  readonly publicUrl: () => string;
  readonly gateway: Gateway | undefined;
  readonly gatewayTimeoutMs: number;
  readonly cooldownMs: number;
  readonly keysWindowHours: number;
  readonly makeOrderId: PlacementOptions['makeOrderId'];
  readonly riskRules: RiskRules;
  readonly openCodes: Parameters<typeof buildReadOrderHandlers>[0]['openCodes'];
  readonly codeMacs: SoldKeysDeps['codeMacs'];
  readonly onCatalogueChanged: () => void;
  readonly onBatch: PlacementOptions['onBatch'];
  readonly onAlarm: OrderWorkerOptions['onAlarm'];
};

export async function openOrders(options: OrdersOptions) {
  const { database, clock, log, publicUrl, gateway, gatewayTimeoutMs, onCatalogueChanged } = options;
  const houseAccounts = await loadHouseAccounts(database.kysely);
  const shared = { database, houseAccounts, gatewayTimeoutMs, publicUrl, log, onCatalogueChanged };
  const payments = gateway && { gateway, settlement: createSettlement({ ...shared, gateway }) };
  const worker = new OrderWorker({
    database,
    payments,
    gatewayTimeoutMs,
    log,
    checkClock: () => clock.look(),
    nowMs: () => performance.now(),
    onAlarm: options.onAlarm,
  });
  const historyWorker = new HistoryWorker({ database, log });
  const placement = new Placement({
    database: database.lane('orders'),
    tracer: options.tracer,
    houseAccounts,
    cooldownMs: options.cooldownMs,
    makeOrderId: options.makeOrderId,
    publicUrl,
    charge: payments?.settlement.charge,
    gatewayTimeoutMs: gatewayTimeoutMs + SETTLING_TIME_MS,
    riskRules: options.riskRules,
    realMicros: (nowMicros) => clock.realMicros(nowMicros),
    onCatalogueChanged,
    ...(options.onBatch && { onBatch: options.onBatch }),
  });
  const actionDeps = { database, houseAccounts, onCatalogueChanged, publicUrl };
  const actions = createOrderActions(actionDeps);
  return {
    placement,
    /** Undefined without a payment provider. */
    settlement: payments?.settlement,
    actions,
    onClockStepBack: makeOpenPaymentsDue,
    worker,
    historyWorker,
    handlers: {
      ...buildCreateOrderHandler(placement),
      ...buildReadOrderHandlers({
        database,
        keysWindowHours: options.keysWindowHours,
        unnoticedMicros: (nowMicros) => clock.unnoticedMicros(nowMicros),
        openCodes: options.openCodes,
      }),
      ...buildOrderChangeHandlers(actionDeps, actions),
      ...buildOrderListHandlers(database),
      ...buildSoldKeysHandlers({
        database,
        openCodes: options.openCodes,
        codeMacs: options.codeMacs,
        onCatalogueChanged,
      }),
      ...buildPaymentHandlers(database, payments && (() => worker.settleNow())),
    },
    start() {
      worker.start();
      historyWorker.start();
    },
    async close() {
      await worker.close();
      await historyWorker.close();
    },
  };
}
