/** A621. */

import type { Claim, ClaimDecision, OperatorClaim } from '@keyport/contract/orders/claims';
import { must } from '@keyport/core/assert';
import { OUTCOME_OF } from '@keyport/core/orders/after-sale';
import { conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { WriteEffect, Written } from '../../operations/operation.ts';
import { NO_EFFECT } from '../../operations/write-effect.ts';
import { loadOrder, previewChange, toState } from '../changes/order-effect.ts';
import { type LockedOrder, lockOffersOf, lockOrder } from '../changes/order-updates.sql.ts';
import { refundOrder } from '../changes/refund-order.ts';
import type { WriteDeps } from '../changes/write-order.ts';
import { countTextOnSale, listUnits, type UnitOfOrder } from '../keys/order-keys.sql.ts';
import { replaceKey } from '../keys/replace-key.ts';
import type { OrderDeps } from '../order-deps.ts';
import * as sql from './claims.sql.ts';
import { showClaim, showOperatorClaim } from './read-claims.ts';

type DecideClaimDeps = WriteDeps & Pick<OrderDeps, 'openCodes' | 'codeMacs'>;

export type DecideCommand = Acting & {
  readonly params: { readonly claimId: string };
  readonly body: ClaimDecision;
};

export type OwnDecision = DecideCommand & { readonly principal: { readonly accountId: string } };

/** In the sandbox, a reseller decides. */
export async function decideOwnClaim(
  tx: Tx,
  command: OwnDecision,
  deps: DecideClaimDeps,
): Promise<Written<Claim>> {
  const { claimId } = command.params;
  requireFound(await sql.findClaim(tx, claimId, command.principal.accountId), 'claim');
  const { onCommitted } = await decideClaim(tx, command, deps);
  const data = await showClaim(tx, await sql.lockClaim(tx, claimId), deps.openCodes);
  return { status: 200, data, ...(onCommitted && { onCommitted }) };
}

type Decided = {
  readonly key: sql.ClaimKeyRow;
  readonly decision: ClaimDecision['decisions'][number]['decision'];
};

export async function decideClaim(
  tx: Tx,
  command: DecideCommand,
  deps: DecideClaimDeps,
): Promise<Written<OperatorClaim>> {
  const { answer } = command.body;
  const { id, orderId } = requireFound(await sql.findClaim(tx, command.params.claimId), 'claim');
  const order = must(await lockOrder(tx, orderId), 'an order is never deleted');
  await lockOffersOf(tx, [orderId]);
  const claim = await sql.lockClaim(tx, id);
  if (claim.status !== 'open')
    throw conflict(`The claim is ${claim.status}; only an open claim can be decided.`, {
      claimStatus: claim.status,
    });
  const decided = matchDecisions(claim, command.body);
  const units = await listUnits(tx, orderId);
  await requirePossible(tx, order, decided, units);
  const before = await loadOrder(tx, orderId);

  const outcomes = new Map(decided.map(({ key, decision }) => [key.place, OUTCOME_OF[decision]]));
  await sql.closeClaim(tx, id, { status: 'decided', answer, outcomes });
  const data = { claimId: id, decisions: Object.fromEntries(outcomes), ...(answer && { answer }) };
  await audit(tx, command, 'claim.decide', { accountId: order.accountId, orderId, data });
  const { effect, onCommitted } = await carryOut(tx, command, claim, decided, deps);

  const after = must(await sql.findClaim(tx, id), 'the claim of this transaction');
  const shown = await showClaim(tx, after, deps.openCodes);
  const event = { type: 'claim.decided', accountId: order.accountId, data: { claim: shown } } as const;
  const { units: moved } = effect.preview;
  const { preview } = await previewChange(tx, order, { before, units: moved, gained: -moved.delivered });
  const shownClaim = await showOperatorClaim(tx, after, deps.openCodes);
  await logChanges(tx, { events: [event] });
  return {
    status: 200,
    data: shownClaim,
    effect: {
      ...effect,
      preview: { ...effect.preview, order: preview.order, stock: preview.stock },
      state: ['claim', id, claim.status, toState(order), units.map(({ id, isRefunded }) => [id, isRefunded])],
    },
    onCommitted,
  };
}

function matchDecisions({ keys }: sql.ClaimRow, { decisions }: ClaimDecision): Decided[] {
  const decided = new Map<number, Decided>();
  for (const [index, { keyId, decision }] of decisions.entries()) {
    const key = keys.find(({ place }) => String(place) === keyId);
    const field = `body.decisions[${index}].keyId`;
    if (key === undefined) throw invalidField(field, 'must be the id of a key of the claim');
    if (decided.has(key.place)) throw invalidField(field, `names the key ${keyId} twice`);
    decided.set(key.place, { key, decision });
  }
  const missing = keys.filter(({ place }) => !decided.has(place)).map(({ place }) => place);
  if (missing.length > 0)
    throw invalidField(
      'body.decisions',
      `must decide every key of the claim; missing: ${missing.join(', ')}`,
    );
  return [...decided.values()];
}

/** Throws conflict. The offer must be locked. */
async function requirePossible(
  tx: Tx,
  order: LockedOrder,
  decided: readonly Decided[],
  units: readonly UnitOfOrder[],
): Promise<void> {
  const gone = decided.filter(({ key, decision }) => {
    const unit = units.find(({ id }) => id === key.stockKeyId);
    const isGone = order.status !== 'complete' || unit === undefined || unit.isRefunded;
    return isGone && decision !== 'reject';
  });
  const [first] = gone;
  if (first !== undefined)
    throw conflict(
      `The key ${first.key.place} was refunded or replaced after it was claimed. Nothing was decided. Reject this key and give the reseller the reason.`,
      { keyIds: gone.map(({ key }) => String(key.place)) },
    );
  const replacements = decided.filter(({ decision }) => decision === 'replace').length;
  const available = replacements === 0 ? 0 : await countTextOnSale(tx, order.id);
  if (available < replacements)
    throw conflict(
      `The offer has ${available} keys on sale for ${replacements} replacements. Nothing was decided. Add keys to it, or refund.`,
      { available },
    );
}

type Part = { readonly effect: Omit<WriteEffect, 'state'>; readonly onCommitted: () => void };

async function carryOut(
  tx: Tx,
  { principal, traceId }: Acting,
  { id, orderId, itemId, reason: fault }: sql.ClaimRow,
  decided: readonly Decided[],
  deps: DecideClaimDeps,
): Promise<Part> {
  const reason = `claim ${id}: ${fault}`;
  const keysTo = (wanted: string) =>
    decided.filter(({ decision }) => decision === wanted).map(({ key }) => String(key.stockKeyId));
  const replaced = keysTo('replace');
  for (const keyId of replaced)
    await replaceKey(tx, { principal, traceId, orderId, body: { reason, keyId } }, deps);
  const keyIds = keysTo('refund');
  const items = [{ id: itemId, quantity: keyIds.length, keyIds }];
  const refund =
    keyIds.length === 0
      ? undefined
      : await refundOrder(tx, { principal, traceId, orderId, body: { reason, items } }, deps);
  const { preview = NO_EFFECT, approval } = refund?.effect ?? {};
  if (preview.bookings.length > 0) await sql.noteRefund(tx, id);
  const count = replaced.length;
  const units = { ...preview.units, withdrawn: count, delivered: count };
  return {
    effect: { preview: { ...preview, units }, ...(approval && { approval }) },
    onCommitted: deps.onCatalogueChanged,
  };
}
