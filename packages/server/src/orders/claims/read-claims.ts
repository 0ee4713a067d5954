import type { Claim, OperatorClaim } from '@keyport/contract/orders/claims';
import { must } from '@keyport/core/assert';
import { EPOCH_MICROS_MAX, formatDateTime, MICROS_PER_DAY } from '@keyport/core/date-time';
import { describeCaller } from '@keyport/core/ids';
import { notFound, requireFound } from '@keyport/http/replies/api-error';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Db } from '../../db/schema.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { maskCode } from '../../stock/mask-code.ts';
import type { OrderDeps } from '../order-deps.ts';
import * as sql from './claims.sql.ts';

/** `db`: the caller's transaction, because the embedded engine has one session. */
type OpenCodes = OrderDeps['openCodes'];

const READS_MAX = 100;

async function showClaims(db: Db, claims: readonly sql.ClaimRow[], openCodes: OpenCodes): Promise<Claim[]> {
  const masked = await maskKeys(db, claims, openCodes);
  return claims.map((claim) => view(claim, masked));
}

export async function showClaim(db: Db, claim: sql.ClaimRow, openCodes: OpenCodes): Promise<Claim> {
  return must((await showClaims(db, [claim], openCodes))[0], 'a claim');
}

async function showListedClaims(db: Db, claims: readonly sql.ClaimRow[], openCodes: OpenCodes) {
  const masked = await maskKeys(db, claims, openCodes);
  return claims.map((claim) => ({ ...view(claim, masked), ...toNames(claim) }));
}

export async function showOperatorClaim(
  db: Db,
  claim: sql.ClaimRow,
  openCodes: OpenCodes,
): Promise<OperatorClaim> {
  const { keys, ...members } = await showClaim(db, claim, openCodes);
  const unitIds = claim.keys.map(({ stockKeyId }) => stockKeyId);
  const reads = await sql.listReads(db, claim.orderId);
  const times = new Map(
    (await sql.listKeyTimes(db, claim.orderId, unitIds)).map((one) => [one.stockKeyId, one]),
  );
  return {
    ...members,
    ...toNames(claim),
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

async function maskKeys(db: Db, claims: readonly sql.ClaimRow[], openCodes: OpenCodes) {
  const ids = claims.flatMap(({ keys }) => keys.map(({ stockKeyId }) => stockKeyId));
  const units = ids.length === 0 ? [] : await sql.listClaimedUnits(db, ids);
  const codes = await openCodes(db, units);
  return new Map(units.map(({ id }, index) => [id, maskCode(codes[index] ?? '')]));
}

function view(claim: sql.ClaimRow, masked: ReadonlyMap<number, string>): Claim {
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

function toNames(claim: sql.ClaimRow) {
  const { accountId, accountName, sellerId, sellerName, productId, productName } = claim;
  return { accountId, accountName, sellerId, sellerName, productId, productName };
}

/** A read shows the keys that the order has at that time. */
function wasIn({ fromMicros, untilMicros }: sql.KeyTimes, { atMicros }: sql.KeyRead): boolean {
  return atMicros >= fromMicros && (untilMicros === null || atMicros <= untilMicros);
}

function showRead({ atMicros, clientId, ...read }: sql.KeyRead) {
  return { at: formatDateTime(atMicros), ...describeCaller(clientId), ...read };
}

type ReadClaimsDeps = Pick<OrderDeps, 'database' | 'openCodes'>;

const LISTED = { load: sql.loadClaims, toId: ({ position }: sql.ClaimRow) => position };
const PAGE_SIZE = 20;
const RATE_DAYS = 30;

export async function listOwnClaims(
  { database, openCodes }: ReadClaimsDeps,
  { query, principal: { accountId } }: OperationRequest<'listClaims'>,
) {
  const { rows, meta } = await readListPage(database, {
    name: `claims of ${accountId}`,
    query: { ...query, limit: query.limit ?? PAGE_SIZE },
    list: sql.claimsList({ ...query, accountId }, true),
    ...LISTED,
  });
  return { status: 200, data: await showClaims(database.db, rows, openCodes), meta };
}

export async function listAllClaims(
  { database, openCodes }: ReadClaimsDeps,
  { query }: OperationRequest<'listAllClaims'>,
) {
  const list = sql.claimsList(query, query.sort !== 'createdAt');
  const { rows, meta } = await readListPage(database, { name: 'claims', query, list, ...LISTED });
  return { status: 200, data: await showListedClaims(database.db, rows, openCodes), meta };
}

/** Throws not-found, even for another account's claim. */
export async function readClaim(
  { database: { db }, openCodes }: ReadClaimsDeps,
  { params, principal }: OperationRequest<'getClaim'>,
) {
  const claim = requireFound(await sql.findClaim(db, params.claimId, principal.accountId), 'claim');
  return showClaim(db, claim, openCodes);
}

export async function readAnyClaim({ database: { db }, openCodes }: ReadClaimsDeps, claimId: string) {
  return showOperatorClaim(db, requireFound(await sql.findClaim(db, claimId), 'claim'), openCodes);
}

export async function readClaimsRate(
  { database: { db } }: ReadClaimsDeps,
  { params: { sellerId }, query }: OperationRequest<'getClaimsRate'>,
) {
  if (!(await sql.hasSeller(db, sellerId))) throw notFound('seller');
  const { fromMicros, toMicros } = parseTimeRange(query, 'from', 'to');
  const range = {
    fromMicros: fromMicros ?? (toMicros ?? Date.now() * 1000) - RATE_DAYS * MICROS_PER_DAY,
    toMicros: toMicros ?? EPOCH_MICROS_MAX,
  };
  const claims = await sql.countClaims(db, sellerId, range);
  return { unitsSold: await sql.countUnitsSold(db, sellerId, range), claims };
}
