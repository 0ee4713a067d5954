import type { ChangedOffer } from '@keyport/contract/catalogue/offer-changes';
import type { KeysWithdrawal, KeysWithdrawn } from '@keyport/contract/catalogue/stock-keys';
import { assert, must } from '@keyport/core/assert';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import type { Static } from 'typebox';
import { type Acting, audit } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { WriteEffect, Written } from '../operations/operation.ts';
import { NO_EFFECT } from '../operations/write-effect.ts';
import type { Custody } from './product-keys.ts';
import {
  type HeldCode,
  keepWithdrawn,
  type LockedOffer,
  listHeldCodes,
  listYoungestUnits,
  lockOffers,
  takeOffSale,
} from './stock.sql.ts';

export type WithdrawKeysDeps = {
  readonly codeMacs: Custody['codeMacs'];
  readonly onCatalogueChanged: () => void;
};

export async function withdrawKeys(
  tx: Tx,
  command: Acting & { readonly offerId: string; readonly body: KeysWithdrawal },
  { codeMacs, onCatalogueChanged }: WithdrawKeysDeps,
): Promise<Written<Static<typeof KeysWithdrawn>>> {
  const { offerId, body } = command;
  const offer = requireFound((await lockOffers(tx, [offerId])).get(offerId), 'offer');
  const withdrawal = { offer, body };
  const shortage = findShortage(withdrawal);
  if (shortage !== undefined) {
    const { message, availableQuantity } = shortage;
    throw new ApiError('conflict', { message, data: { availableQuantity } });
  }
  const { responses, unitIds } = await writeWithdrawals(tx, codeMacs, [withdrawal]);
  const { withdrawn, notWithdrawn } = must(responses[0], 'a response for each withdrawal');
  const auditData = toAuditData(withdrawal, withdrawn);
  await audit(tx, command, 'keys.withdraw', { data: auditData });
  const before = offer.available.text + offer.available.image;
  const data = { withdrawn, quantity: before - withdrawn, notWithdrawn };
  const effect = { ...toEffect({ offerId, before, unitIds }, data), ...toSearch([body], [responses[0]]) };
  if (withdrawn === 0) return { status: 200, data, effect };
  await logChanges(tx, { productIds: [offer.productId] });
  return { status: 200, data, effect, onCommitted: onCatalogueChanged };
}

/** `state` has the chosen units: once some of these are sold, others would be withdrawn. */
function toEffect(
  offer: { readonly offerId: string; readonly before: number; readonly unitIds: readonly number[] },
  { withdrawn, quantity, notWithdrawn }: Static<typeof KeysWithdrawn>,
): WriteEffect {
  const { offerId, before, unitIds } = offer;
  return {
    preview: {
      ...NO_EFFECT,
      units: { ...NO_EFFECT.units, withdrawn },
      stock: withdrawn === 0 ? [] : [{ offerId, before, after: quantity }],
      notWithdrawn,
    },
    state: ['withdrawal', offerId, unitIds.toSorted((one, other) => one - other), notWithdrawn],
  };
}

/** A preview reveals which of the named codes the service holds, and the orders of the sold ones. */
export function toSearch(
  withdrawals: readonly Pick<KeysWithdrawal, 'codes'>[],
  responses: readonly (Withdrawn | undefined)[],
): Pick<WriteEffect, 'codes'> {
  const given = withdrawals.reduce((sum, { codes = [] }) => sum + codes.length, 0);
  const unknown = responses
    .flatMap((response) => response?.notWithdrawn ?? [])
    .filter(({ reason }) => reason === 'unknown');
  return given === 0 ? {} : { codes: { given, found: given - unknown.length } };
}

export type Withdrawal = { readonly offer: LockedOffer; readonly body: KeysWithdrawal };

export type Withdrawn = NonNullable<ChangedOffer['keysWithdrawn']>;

/** Checks what no schema can. Returns the field and the rest of the message. */
export function withdrawalProblem(body: KeysWithdrawal, field: string): [string, string] | undefined {
  if ((body.quantity === undefined) === (body.codes === undefined))
    return [field, 'must have exactly one of quantity and codes'];
  if (body.kind !== undefined && body.codes !== undefined)
    return [`${field}.kind`, 'can only be combined with quantity; a code has its own kind'];
  return undefined;
}

export function findShortage({ offer, body: { quantity = 0, kind } }: Withdrawal) {
  const kinds: readonly ('text' | 'image')[] = kind === undefined ? ['text', 'image'] : [kind];
  const availableQuantity = kinds.reduce((sum, each) => sum + offer.available[each], 0);
  if (quantity <= availableQuantity) return undefined;
  const keys = `unsold ${kind === undefined ? '' : `${kind} `}${availableQuantity === 1 ? 'key' : 'keys'}`;
  const message = `The offer has ${availableQuantity} ${keys}, fewer than quantity ${quantity}; nothing was withdrawn.`;
  return { availableQuantity, message };
}

/** Offers must be distinct and locked, and have enough units. A90. */
export async function writeWithdrawals(
  tx: Tx,
  codeMacs: Custody['codeMacs'],
  withdrawals: readonly Withdrawal[],
): Promise<{ readonly responses: readonly Withdrawn[]; readonly unitIds: readonly number[] }> {
  if (withdrawals.length === 0) return { responses: [], unitIds: [] };
  const counted = withdrawals.flatMap(({ offer, body: { quantity, kind } }) =>
    quantity === undefined ? [] : [{ offerId: offer.id, quantity, kind }],
  );
  const offerIds = withdrawals.map(({ offer }) => offer.id);
  const youngest = await listYoungestUnits(tx, counted);
  const named = await listHeldCodes(tx, codeMacs(withdrawals.flatMap(({ body }) => body.codes ?? [])));
  const kept = named.flatMap((code) => (code?.state === 'withdrawn' ? [code.unitId] : []));
  await keepWithdrawn(tx, offerIds, kept);
  const held = named.values();
  const chosen = withdrawals.map(({ offer, body: { codes = [] } }) =>
    chooseUnsold(
      offer,
      codes.map(() => held.next().value),
    ),
  );
  const unitIds = [...youngest, ...chosen.flatMap((choice) => [...choice.unitIds])];
  const taken = await takeOffSale(tx, unitIds, undefined);
  const gone = new Map(taken.map(({ offerId, units }) => [offerId, units]));
  const goneCount = taken.reduce((sum, { units }) => sum + units, 0);
  const wantedCount = unitIds.length;
  assert(goneCount === wantedCount, `${wantedCount} units should be withdrawn, ${goneCount} were`);
  const responses = withdrawals.map(({ offer, body }, index) => {
    const withdrawn = gone.get(offer.id) ?? 0;
    assert(
      body.quantity === undefined || withdrawn === body.quantity,
      'the counters of a locked offer are correct',
    );
    return { withdrawn, notWithdrawn: must(chosen[index], 'a choice for each withdrawal').notWithdrawn };
  });
  return { responses, unitIds };
}

/** A code named twice counts as one unit. */
function chooseUnsold(offer: LockedOffer, held: readonly (HeldCode | undefined)[]) {
  const unitIds = new Set<number>();
  const notWithdrawn = held.flatMap((code, index): Withdrawn['notWithdrawn'] => {
    if (code === undefined) return [{ index, reason: 'unknown' }];
    if (code.offerId !== offer.id) return [{ index, reason: 'other-offer' }];
    if (code.state === 'available') {
      unitIds.add(code.unitId);
      return [];
    }
    return [{ index, reason: code.state, ...(code.orderId === null ? {} : { orderId: code.orderId }) }];
  });
  return { unitIds, notWithdrawn };
}

export function toAuditData({ offer, body }: Withdrawal, withdrawn: number): Record<string, unknown> {
  const { reason, quantity, kind, codes } = body;
  return { offerId: offer.id, reason, quantity, kind, codes: codes?.length, withdrawn };
}
