/** Orders: placing them, paying them, reading them, and what operators do with them. */
import { must } from '@keyport/core/assert';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import { minorOf } from '@keyport/core/money';
import type { RiskRules } from '@keyport/core/orders/risk-rules';
import type { Config } from '../config.ts';
import type { Db, Tx } from '../db/schema.ts';
import { loadHouseAccounts } from '../ledger/house-accounts.sql.ts';
import type { Gateway } from '../payments/gateway.ts';
import type { Platform } from '../platform.ts';
import type { Stock } from '../stock/feature.ts';
import type { SealedCode } from '../stock/product-keys.ts';
import { buildOrderChangeHandlers, createOrderActions } from './changes/order-changes.routes.ts';
import { lockOrder } from './changes/order-updates.sql.ts';
import { buildClaimHandlers } from './claims/claims.routes.ts';
import { countOpenClaims } from './claims/claims.sql.ts';
import { decideOwnClaim, type OwnDecision } from './claims/decide-claim.ts';
import { HistoryWorker } from './history/history-worker.ts';
import { buildOrderListHandlers } from './history/order-lists.routes.ts';
import { buildReadOrderHandlers } from './history/read-orders.routes.ts';
import { findOrder } from './history/read-orders.sql.ts';
import { buildSoldKeysHandlers } from './keys/sold-keys.routes.ts';
import { buildOrder } from './order-response.ts';
import { buildPaymentHandlers } from './payments/payments.routes.ts';
import { makeOpenPaymentsDue } from './payments/payments.sql.ts';
import { createSettlement } from './payments/settlement.ts';
import { buildCreateOrderHandler, fingerprintOrder } from './placement/create-order.routes.ts';
import { Placement, type PlacementOptions } from './placement/placement.ts';
import { findCreatedBodies } from './placement/requests.sql.ts';
import { advanceReservation, type ReservationName } from './reservations/end-reservations.ts';
import { readReservation } from './reservations/read-reservations.ts';
import { buildReservationHandlers } from './reservations/reservations.routes.ts';
import { countActiveReservations } from './reservations/reservations.sql.ts';
import { formatReservation } from './reservations/view-reservation.ts';
import { OrderWorker } from './workers.ts';

/**
 * Time between a provider's latest response and the commit of its outcome; the worker need not query before.
 */
const SETTLING_TIME_MS = 1000;

export type Orders = Awaited<ReturnType<typeof openOrders>>;

export async function openOrders(
  platform: Platform,
  used: {
    readonly gateway: Gateway | undefined;
    readonly makeOrderId: PlacementOptions['makeOrderId'];
    readonly stock: Stock;
    readonly onCatalogueChanged: PlacementOptions['onCatalogueChanged'];
  },
) {
  const { config, database, clock, log, metrics, publicUrl } = platform;
  const { gatewayTimeoutMs, keysWindowHours } = config;
  const { gateway, onCatalogueChanged } = used;
  const openCodes = (units: readonly SealedCode[]) => used.stock.openCodes(database.kysely, units);
  const houseAccounts = await loadHouseAccounts(database.kysely);
  const shared = { database, houseAccounts, gatewayTimeoutMs, publicUrl, log, onCatalogueChanged };
  const payments = gateway && { gateway, settlement: createSettlement({ ...shared, gateway }) };
  const worker = new OrderWorker({
    database,
    payments,
    gatewayTimeoutMs,
    log,
    onCatalogueChanged,
    checkClock: () => clock.look(),
    nowMs: () => performance.now(),
    onAlarm: metrics?.onPaymentAlarm,
  });
  clock.onStepBack(makeOpenPaymentsDue);
  const historyWorker = new HistoryWorker({ database, log });
  const placement = new Placement({
    database: database.lane('orders'),
    tracer: platform.tracer,
    houseAccounts,
    cooldownMs: config.idempotencyCooldownMs,
    makeOrderId: used.makeOrderId,
    publicUrl,
    charge: payments?.settlement.charge,
    gatewayTimeoutMs: gatewayTimeoutMs + SETTLING_TIME_MS,
    riskRules: readRiskRules(config),
    realMicros: (nowMicros) => clock.realMicros(nowMicros),
    onCatalogueChanged,
    ...(metrics && { onBatch: metrics.onBatch }),
  });
  const unnoticedMicros = (nowMicros: number) => clock.unnoticedMicros(nowMicros);
  const actionDeps = { database, houseAccounts, onCatalogueChanged, publicUrl, unnoticedMicros };
  const openCodesIn = used.stock.openCodes;
  const actions = {
    ...createOrderActions(actionDeps),
    /** A reseller decides its own claim in the sandbox. */
    decideClaim: (request: OwnDecision) => (tx: Tx) =>
      decideOwnClaim(tx, request, { ...actionDeps, openCodesIn, codeMacs: used.stock.codeMacs }),
  };
  const createOrder = buildCreateOrderHandler(placement).createOrder;
  const reservations = { database, placement, onCatalogueChanged };
  return {
    placement,
    /** Undefined without a payment provider. */
    settlement: payments?.settlement,
    actions,
    fingerprint: fingerprintOrder,
    lock: lockOrder,
    findCreatedBodies,
    /** The order as its reseller sees it. */
    show: async (db: Db, orderId: string) =>
      buildOrder(must(await findOrder(db, orderId, undefined), 'an order')),
    /** For the sandbox. */
    advanceReservation,
    showReservation: async (db: Db, name: ReservationName) =>
      formatReservation(await readReservation(db, name)),
    countActiveReservations: () => countActiveReservations(database.kysely),
    countOpenClaims: () => countOpenClaims(database.kysely),
    worker,
    historyWorker,
    handlers: {
      createOrder: metrics?.countOrders(createOrder) ?? createOrder,
      ...buildReadOrderHandlers({
        database,
        keysWindowHours,
        unnoticedMicros,
        openCodes,
      }),
      ...buildReservationHandlers(reservations),
      ...buildOrderChangeHandlers(actionDeps, actions),
      ...buildOrderListHandlers(database),
      ...buildSoldKeysHandlers({
        database,
        openCodes,
        codeMacs: used.stock.codeMacs,
        onCatalogueChanged,
      }),
      ...buildClaimHandlers({ ...actionDeps, openCodesIn, codeMacs: used.stock.codeMacs }),
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

function readRiskRules(config: Config): RiskRules {
  return {
    aboveMinor: config.riskHoldAbove === undefined ? undefined : minorOf(config.riskHoldAbove),
    accountYoungerThanMicros: config.riskHoldAccountYoungerThanHours * MICROS_PER_HOUR,
    ordersPerHour: config.riskHoldOrdersPerHour,
  };
}
