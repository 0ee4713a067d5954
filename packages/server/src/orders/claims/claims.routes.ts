/** Claims for resellers and for operators. */
import type { Database } from '../../db/engines/database.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { type CreateClaimDeps, createClaim, withdrawClaim } from './create-claim.ts';
import { type DecideClaimDeps, decideClaim } from './decide-claim.ts';
import { listAllClaims, listOwnClaims, readAnyClaim, readClaim, readClaimsRate } from './read-claims.ts';

type ClaimHandlers = Pick<
  OperationHandlers,
  | 'createClaim'
  | 'listClaims'
  | 'getClaim'
  | 'withdrawClaim'
  | 'listAllClaims'
  | 'getAnyClaim'
  | 'decideClaim'
  | 'getClaimsRate'
>;

export function buildClaimHandlers(
  deps: CreateClaimDeps & DecideClaimDeps & { readonly database: Database },
): ClaimHandlers {
  return {
    createClaim: (request) => createClaim(request, deps),
    listClaims: (request) => listOwnClaims(deps, request),
    getClaim: async (request) => ({ status: 200, data: await readClaim(deps, request) }),
    withdrawClaim: (request) => (tx) => withdrawClaim(tx, request, deps),
    listAllClaims: (request) => listAllClaims(deps, request),
    getAnyClaim: async ({ params: { claimId } }) => ({
      status: 200,
      data: await readAnyClaim(deps, claimId),
    }),
    decideClaim: (request) => (tx) => decideClaim(tx, request, deps),
    getClaimsRate: async (request) => ({ status: 200, data: await readClaimsRate(deps, request) }),
  };
}
