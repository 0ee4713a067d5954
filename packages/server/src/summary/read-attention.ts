/** A362. */
import type { Attention, Waiting } from '@keyport/contract/operators/summary';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { Principal } from '@keyport/http/server/principal';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import * as sql from './attention.sql.ts';

export type AttentionDeps = {
  readonly database: Database;
  readonly lowStockUnits: number;
  readonly countApprovable: (tx: Tx, principal: Principal) => Promise<sql.WaitingRow>;
  readonly listBrokenInvariants: () => Promise<readonly BrokenInvariant[]>;
};

type BrokenInvariant = Omit<Attention['invariants'][number], 'brokenSince'> & {
  readonly brokenSinceMicros: number | null;
};

export async function readAttention(deps: AttentionDeps, principal: Principal): Promise<Attention> {
  const { database, lowStockUnits, countApprovable, listBrokenInvariants } = deps;
  const broken = await listBrokenInvariants();
  const { held, payments, claims, refunds, approvals, scarcity, endpoints } = await runTransaction(
    database,
    { isSnapshot: true },
    async (tx) => ({
      held: await sql.countHeldOrders(tx),
      payments: await sql.countOpenPayments(tx),
      claims: await sql.countOpenClaims(tx),
      refunds: await sql.countOpenRefunds(tx),
      approvals: await countApprovable(tx, principal),
      scarcity: await sql.loadScarcity(tx, lowStockUnits),
      endpoints: await sql.loadFailingEndpoints(tx),
    }),
  );
  return {
    heldOrders: showWaiting(held),
    openPayments: { ...showWaiting(payments), overdue: payments.overdue },
    openClaims: { count: claims.count, oldestAt: showTime(claims.oldestMicros) },
    openRefunds: showWaiting(refunds),
    approvals: showWaiting(approvals),
    stock: {
      soldOut: scarcity.soldOut,
      low: scarcity.low,
      unitsMax: lowStockUnits,
      offers: scarcity.offers.map(({ soldMicros, ...offer }) => {
        return { ...offer, soldAt: formatDateTime(soldMicros) };
      }),
    },
    endpoints: {
      ...endpoints,
      items: endpoints.items.map(({ failingSinceMicros, ...endpoint }) => {
        return { ...endpoint, failingSince: showTime(failingSinceMicros) };
      }),
    },
    invariants: broken.map(({ brokenSinceMicros, ...invariant }) => {
      return { ...invariant, brokenSince: showTime(brokenSinceMicros) };
    }),
  };
}

function showWaiting({ count, amountMinor, oldestMicros }: sql.WaitingRow): Waiting {
  return { count, amount: formatMinor(BigInt(amountMinor)), oldestAt: showTime(oldestMicros) };
}

function showTime(micros: number | null): string | null {
  return micros === null ? null : formatDateTime(micros);
}
