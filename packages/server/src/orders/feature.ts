import { must } from '@keyport/core/assert';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import { toMinor } from '@keyport/core/money';
import type { RiskRules } from '@keyport/core/orders/risk-rules';
import type { Config } from '../config.ts';
import type { Db, Tx } from '../db/schema.ts';
import { loadHouseAccounts } from '../ledger/house-accounts.sql.ts';
import type { Gateway } from '../payments/gateway.ts';
import type { Platform } from '../platform.ts';
import type { Stock } from '../stock/feature.ts';
import { lockOrder } from './changes/order-updates.sql.ts';
import { countOpenClaims } from './claims/claims.sql.ts';
import { decideOwnClaim, type OwnDecision } from './claims/decide-claim.ts';
import { findOrder } from './history/read-orders.sql.ts';
import { buildOrder } from './order-response.ts';
import { buildOrderHandlers, createOrderActions } from './orders.routes.ts';
import { createSettlement } from './payments/settlement.ts';
import { buildCreateOrderHandler, fingerprintOrder } from './placement/create-order.routes.ts';
import { findCreatedBodies } from './placement/idempotency-records.sql.ts';
import { Placement, type PlacementOptions } from './placement/placement.ts';
import { buildReservationHandlers } from './reservations/reservations.routes.ts';
import { countActiveReservations } from './reservations/reservations.sql.ts';
import { advanceReservation, type ReservationName, readReservation } from './reservations/reservations.ts';
import { formatReservation } from './reservations/view-reservation.ts';
import { OrderWorker } from './workers.ts';

/** From a provider's last possible response to the commit of its outcome. */
const SETTLING_TIME_MS = 1000;

export type Orders = Awaited<ReturnType<typeof openOrders>>;

export async function openOrders(
  platform: Platform,
  used: {
    readonly gateway: Gateway | undefined;
    readonly drawOrderId: PlacementOptions['drawOrderId'];
    readonly stock: Stock;
    readonly onCatalogueChanged: PlacementOptions['onCatalogueChanged'];
  },
) {
  const { config, database, log, metrics, publicUrl } = platform;
  const { gatewayTimeoutMs, keysWindowHours } = config;
  const { gateway, onCatalogueChanged } = used;
  const houseAccounts = await loadHouseAccounts(database.db);
  const shared = { database, houseAccounts, gatewayTimeoutMs, publicUrl, log, onCatalogueChanged };
  const payments = gateway && { gateway, settlement: createSettlement({ ...shared, gateway }) };
  const worker = new OrderWorker({
    database,
    payments,
    gatewayTimeoutMs,
    log,
    onCatalogueChanged,
    nowMs: () => performance.now(),
    onAlarm: metrics?.onPaymentAlarm,
  });
  const placement = new Placement({
    database: database.lane('orders'),
    tracer: platform.tracer,
    houseAccounts,
    cooldownMs: config.idempotencyCooldownMs,
    drawOrderId: used.drawOrderId,
    publicUrl,
    charge: payments?.settlement.charge,
    gatewayTimeoutMs: gatewayTimeoutMs + SETTLING_TIME_MS,
    riskRules: readRiskRules(config),
    onCatalogueChanged,
    ...(metrics && { onBatch: metrics.onBatch }),
  });
  const { openCodes, codeMacs } = used.stock;
  const deps = { ...shared, openCodes, codeMacs, keysWindowHours };
  const actions = {
    ...createOrderActions(deps),
    decideClaim: (request: OwnDecision) => (tx: Tx) => decideOwnClaim(tx, request, deps),
  };
  const { createOrder } = buildCreateOrderHandler(placement);
  return {
    placement,
    settlement: payments?.settlement,
    actions,
    fingerprint: fingerprintOrder,
    lock: lockOrder,
    findCreatedBodies,
    show: async (db: Db, orderId: string) =>
      buildOrder(must(await findOrder(db, orderId, undefined), 'an order')),
    advanceReservation,
    showReservation: async (db: Db, name: ReservationName) =>
      formatReservation(await readReservation(db, name)),
    countActiveReservations: () => countActiveReservations(database.db),
    countOpenClaims: () => countOpenClaims(database.db),
    worker,
    handlers: {
      createOrder: metrics?.countOrders(createOrder) ?? createOrder,
      ...buildReservationHandlers({ database, placement, onCatalogueChanged }),
      ...buildOrderHandlers({ ...deps, settleNow: payments && (() => worker.settleNow()) }, actions),
    },
    start: () => worker.start(),
    close: () => worker.close(),
  };
}

function readRiskRules(config: Config): RiskRules {
  return {
    aboveMinor: config.riskHoldAbove === undefined ? undefined : toMinor(config.riskHoldAbove),
    accountYoungerThanMicros: config.riskHoldAccountYoungerThanHours * MICROS_PER_HOUR,
    ordersPerHour: config.riskHoldOrdersPerHour,
  };
}
