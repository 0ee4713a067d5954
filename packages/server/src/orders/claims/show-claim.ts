/** Claims as resellers and operators see them. Codes are masked; nothing stores them. */
import type { Claim, OperatorClaim } from '@keyport/contract/orders/claims';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import type { Db } from '../../db/schema.ts';
import { maskCode } from '../../stock/mask-code.ts';
import type { SealedUnit } from '../keys/order-keys.sql.ts';
import {
  type ClaimRow,
  type KeyRead,
  type KeyTimes,
  listClaimedUnits,
  listKeyTimes,
  listReads,
} from './claims.sql.ts';

/** `db`: the transaction, if there is one: the embedded engine has one session. */
export type OpenCodes = (db: Db, units: readonly SealedUnit[]) => Promise<string[]>;

const READS_MAX = 100;

export async function showClaims(
  db: Db,
  claims: readonly ClaimRow[],
  openCodes: OpenCodes,
): Promise<Claim[]> {
  const masked = await maskKeys(db, claims, openCodes);
  return claims.map((claim) => view(claim, masked));
}

export async function showListedClaims(db: Db, claims: readonly ClaimRow[], openCodes: OpenCodes) {
  const masked = await maskKeys(db, claims, openCodes);
  return claims.map((claim) => ({ ...view(claim, masked), ...namesOf(claim) }));
}

export async function showOperatorClaim(
  db: Db,
  claim: ClaimRow,
  openCodes: OpenCodes,
): Promise<OperatorClaim> {
  const [shown] = await showClaims(db, [claim], openCodes);
  const unitIds = claim.keys.map(({ stockKeyId }) => stockKeyId);
  const reads = await listReads(db, claim.orderId);
  const times = new Map((await listKeyTimes(db, claim.orderId, unitIds)).map((one) => [one.stockKeyId, one]));
  const { keys, ...members } = must(shown, 'a claim');
  return {
    ...members,
    ...namesOf(claim),
    available: claim.available,
    keys: keys.map((key, index) => {
      const stockKeyId = must(unitIds[index], 'the unit of a key');
      const had = must(times.get(stockKeyId), 'the times of a key');
      return {
        ...key,
        orderKeyId: String(stockKeyId),
        deliveredAt: formatDateTime(had.fromMicros),
        history: reads
          .filter((read) => wasIn(had, read))
          .slice(0, READS_MAX)
          .map(showRead),
      };
    }),
  };
}

async function maskKeys(db: Db, claims: readonly ClaimRow[], openCodes: OpenCodes) {
  const ids = claims.flatMap(({ keys }) => keys.map(({ stockKeyId }) => stockKeyId));
  const units = ids.length === 0 ? [] : await listClaimedUnits(db, ids);
  const codes = await openCodes(db, units);
  return new Map(units.map(({ id }, index) => [id, maskCode(codes[index] ?? '')]));
}

function view(claim: ClaimRow, masked: ReadonlyMap<number, string>): Claim {
  const { id, orderId, itemId, reason, message, status, decidedAtMicros, answer } = claim;
  return {
    id,
    orderId,
    itemId,
    reason,
    message,
    status,
    keys: claim.keys.map(({ place, stockKeyId, outcome }) => ({
      id: String(place),
      masked: masked.get(stockKeyId) ?? '',
      outcome,
    })),
    createdAt: formatDateTime(claim.createdAtMicros),
    ...(decidedAtMicros !== null && { decidedAt: formatDateTime(decidedAtMicros) }),
    ...(answer !== null && { answer }),
  };
}

function namesOf(claim: ClaimRow) {
  const { accountId, accountName, sellerId, sellerName, productId, productName, assignee } = claim;
  return { accountId, accountName, sellerId, sellerName, productId, productName, assignee };
}

/** A read shows the keys that the order has then. */
function wasIn({ fromMicros, untilMicros }: KeyTimes, { atMicros }: KeyRead): boolean {
  return atMicros >= fromMicros && (untilMicros === null || atMicros <= untilMicros);
}

function showRead({ atMicros, ...read }: KeyRead) {
  return { at: formatDateTime(atMicros), ...read };
}
