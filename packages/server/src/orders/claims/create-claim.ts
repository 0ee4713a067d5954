/** Codes are compared by keyed hashes, and never stored or logged. A621. */

import { randomUUID } from 'node:crypto';
import type { Claim, ClaimInput } from '@keyport/contract/orders/claims';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { isWindowOver } from '@keyport/core/orders/after-sale';
import { rejectIncomplete } from '@keyport/core/orders/order-keys';
import { ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import type { Tx } from '../../db/schema.ts';
import type { WriteWork, Written } from '../../operations/operation.ts';
import {
  describeUndelivered,
  lockOwnOrder,
  type OwnOrder,
  type OwnOrderRequest,
} from '../changes/own-order.ts';
import { listUnits } from '../keys/order-keys.sql.ts';
import type { OrderDeps } from '../order-deps.ts';
import { closeClaim, findClaim, insertClaim, listOpenClaims, lockClaim } from './claims.sql.ts';
import { showClaim } from './read-claims.ts';

type CreateClaimDeps = Pick<OrderDeps, 'openCodes' | 'codeMacs'>;

export function createClaim(request: OwnOrderRequest<ClaimInput>, deps: CreateClaimDeps): WriteWork<Claim> {
  const macs = deps.codeMacs(request.body.codes);
  const places = new Map<string, number>();
  for (const [index, mac] of macs.entries()) {
    const first = places.get(mac.toString('hex'));
    if (first !== undefined)
      throw invalidField(`body.codes[${index}]`, `must not repeat the code of body.codes[${first}]`);
    places.set(mac.toString('hex'), index);
  }
  return (tx) => insert(tx, request, macs, deps);
}

async function insert(
  tx: Tx,
  request: OwnOrderRequest<ClaimInput>,
  macs: readonly Buffer[],
  deps: CreateClaimDeps,
): Promise<Written<Claim>> {
  const { itemId, reason, message = null } = request.body;
  const order = await lockOwnOrder(tx, request, 'claimWindowHours');
  requireClaimable(order);
  if (order.items.every(({ id }) => id !== itemId))
    throw invalidField('body.itemId', 'must be the id of an item of the order');
  // An order placed here has one line.
  const units = (await listUnits(tx, order.id)).filter(({ isRefunded }) => !isRefunded);
  const unitIds = macs.map((mac, index) => {
    const unit = units.find(({ codeMac }) => codeMac.equals(mac));
    if (unit !== undefined) return unit.id;
    throw invalidField(
      `body.codes[${index}]`,
      'must be the code of a key that the item has; replaced and refunded keys do not count',
    );
  });
  const claimed = await listOpenClaims(tx, unitIds);
  const [claimId] = claimed.values();
  if (claimId !== undefined) {
    const codeIndexes = Array.from(unitIds.keys()).filter((index) => claimed.has(unitIds[index] ?? 0));
    const data = { claimId, codeIndexes };
    throw conflict(`The claim ${claimId} already includes one of the keys. Nothing was stored.`, data);
  }
  const id = `clm_${randomUUID().replaceAll('-', '')}`;
  await insertClaim(tx, { id, orderId: order.id, itemId, reason, message, unitIds });
  await auditClaim(tx, request, 'claim.create', { id, orderId: order.id }, { reason, keys: unitIds.length });
  return { status: 201, data: await load(tx, id, deps) };
}

function requireClaimable(order: OwnOrder): void {
  const incomplete = rejectIncomplete(order);
  if (incomplete !== undefined) throw describeUndelivered(incomplete);
  if (!isWindowOver(order, order.clock)) return;
  const { completedAtMicros, windowHours } = order;
  const data = { completedAt: formatDateTime(completedAtMicros ?? 0), windowHours };
  throw new ApiError('claim-window-over', { data });
}

type ClaimRequest = Acting & {
  readonly principal: { readonly accountId: string };
  readonly params: { readonly claimId: string };
};

export async function withdrawClaim(
  tx: Tx,
  request: ClaimRequest,
  deps: Pick<OrderDeps, 'openCodes'>,
): Promise<Written<Claim>> {
  const { claimId } = request.params;
  requireFound(await findClaim(tx, claimId, request.principal.accountId), 'claim');
  const claim = await lockClaim(tx, claimId);
  if (claim.status === 'decided')
    throw conflict('The claim was decided; only an open claim can be withdrawn.', {
      claimStatus: claim.status,
    });
  if (claim.status === 'open') {
    await closeClaim(tx, claim.id, { status: 'withdrawn', outcomes: new Map() });
    await auditClaim(tx, request, 'claim.withdraw', claim, {});
  }
  return { status: 200, data: await load(tx, claim.id, deps) };
}

async function load(tx: Tx, id: string, { openCodes }: Pick<OrderDeps, 'openCodes'>) {
  return showClaim(tx, must(await findClaim(tx, id), 'the claim of this transaction'), openCodes);
}

async function auditClaim(
  tx: Tx,
  request: ClaimRequest | OwnOrderRequest<unknown>,
  action: 'claim.create' | 'claim.withdraw',
  claim: { readonly id: string; readonly orderId: string },
  data: Record<string, unknown>,
): Promise<void> {
  const { accountId } = request.principal;
  const details = { accountId, orderId: claim.orderId, data: { claimId: claim.id, ...data } };
  await audit(tx, request, action, details);
}
