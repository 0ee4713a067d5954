/** Claims of an account or of all accounts, and how many a seller has. */
import { EPOCH_MICROS_MAX, MICROS_PER_DAY } from '@keyport/core/date-time';
import { CLAIM_REASONS } from '@keyport/core/orders/after-sale';
import { notFound, requireFound } from '@keyport/http/replies/api-error';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import { personOf } from '../../operations/assignees.sql.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { claimsList, countClaims, countUnitsSold, hasSeller } from './claim-lists.sql.ts';
import { type ClaimRow, findClaim, loadClaims } from './claims.sql.ts';
import { type OpenCodes, showClaims, showListedClaims, showOperatorClaim } from './show-claim.ts';

export type ReadClaimsDeps = { readonly database: Database; readonly openCodesIn: OpenCodes };

const PAGE_SIZE = 20;
const RATE_DAYS = 30;

export async function listOwnClaims(
  { database, openCodesIn }: ReadClaimsDeps,
  { query, principal: { accountId } }: Pick<OperationRequest<'listClaims'>, 'query' | 'principal'>,
) {
  const { rows, meta } = await readListPage(database, {
    name: `claims of ${accountId}`,
    query: { ...query, limit: query.limit ?? PAGE_SIZE },
    list: claimsList({ ...query, accountId }, true),
    load: loadClaims,
    idOf: ({ position }: ClaimRow) => position,
  });
  return { status: 200, data: await showClaims(database.kysely, rows, openCodesIn), meta };
}

export async function listAllClaims(
  { database, openCodesIn }: ReadClaimsDeps,
  { query, principal }: Pick<OperationRequest<'listAllClaims'>, 'query' | 'principal'>,
) {
  const filter = { ...query, assignee: personOf(query.assignee, principal) };
  const { rows, meta } = await readListPage(database, {
    name: 'claims',
    query,
    list: claimsList(filter, query.sort !== 'createdAt'),
    load: loadClaims,
    idOf: ({ position }: ClaimRow) => position,
  });
  return { status: 200, data: await showListedClaims(database.kysely, rows, openCodesIn), meta };
}

/** Throws not-found, for a claim of another account too. */
export async function readClaim(
  { database: { kysely }, openCodesIn }: ReadClaimsDeps,
  { params, principal }: Pick<OperationRequest<'getClaim'>, 'params' | 'principal'>,
) {
  const claim = requireFound(await findClaim(kysely, params.claimId, principal.accountId), 'claim');
  const [data] = await showClaims(kysely, [claim], openCodesIn);
  return requireFound(data, 'claim');
}

export async function readAnyClaim({ database: { kysely }, openCodesIn }: ReadClaimsDeps, claimId: string) {
  return showOperatorClaim(kysely, requireFound(await findClaim(kysely, claimId), 'claim'), openCodesIn);
}

export async function readClaimsRate(
  { database: { kysely } }: ReadClaimsDeps,
  { params: { sellerId }, query }: Pick<OperationRequest<'getClaimsRate'>, 'params' | 'query'>,
) {
  if (!(await hasSeller(kysely, sellerId))) throw notFound('seller');
  const { fromMicros, toMicros } = parseTimeRange(query, 'from', 'to');
  const range = {
    fromMicros: fromMicros ?? (toMicros ?? Date.now() * 1000) - RATE_DAYS * MICROS_PER_DAY,
    toMicros: toMicros ?? EPOCH_MICROS_MAX,
  };
  const counts = new Map(
    (await countClaims(kysely, sellerId, range)).map(({ reason, count }) => [reason, count]),
  );
  const claims = Object.fromEntries(
    CLAIM_REASONS.map((reason) => [reason, counts.get(reason) ?? 0]),
  ) as Record<(typeof CLAIM_REASONS)[number], number>;
  return { unitsSold: await countUnitsSold(kysely, sellerId, range), claims };
}
