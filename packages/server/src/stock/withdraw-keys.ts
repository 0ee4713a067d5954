/**
 * What it means to take unsold keys of offers out of stock, for one offer or many at a time. Runs inside the caller's
 * transaction, with the offers locked; the caller stamps the products of those that lost a unit as its last step. A91.
 */
import type { ChangedOffer } from '@keyport/contract/catalogue/offer-changes';
import type { KeysWithdrawal } from '@keyport/contract/catalogue/stock-keys';
import { assert, must } from '@keyport/core/assert';
import type { Tx } from '../db/schema.ts';
import type { LockedOffer } from '../listings/catalogue.sql.ts';
import type { Custody } from './product-keys.ts';
import { takeOffSale } from './stock.sql.ts';
import { type HeldCode, keepWithdrawn, listHeldCodes, listYoungestUnits } from './withdraw-keys.sql.ts';

export type Withdrawal = { readonly offer: LockedOffer; readonly body: KeysWithdrawal };

export type Withdrawn = NonNullable<ChangedOffer['keysWithdrawn']>;

/** What no schema says about a body: the field, and the rest of the sentence. `field` is where the body stands. */
export function withdrawalProblem(body: KeysWithdrawal, field: string): [string, string] | undefined {
  if ((body.quantity === undefined) === (body.codes === undefined)) {
    return [field, 'must have exactly one of quantity and codes'];
  }
  if (body.kind !== undefined && body.codes !== undefined) {
    return [`${field}.kind`, 'goes with quantity only; a code has its kind'];
  }
  return undefined;
}

/** Why the offer cannot give this many keys; undefined when it can. */
export function shortageOf({ offer, body: { quantity = 0, kind } }: Withdrawal) {
  const kinds: readonly ('text' | 'image')[] = kind === undefined ? ['text', 'image'] : [kind];
  const availableQuantity = kinds.reduce((sum, each) => sum + offer.available[each], 0);
  if (quantity <= availableQuantity) return undefined;
  const keys = `unsold ${kind === undefined ? '' : `${kind} `}${availableQuantity === 1 ? 'key' : 'keys'}`;
  const message = `The offer has ${availableQuantity} ${keys}, fewer than quantity ${quantity}; nothing was withdrawn.`;
  return { availableQuantity, message };
}

export type WrittenWithdrawals = {
  /** One for each withdrawal, in their order. */
  readonly responses: readonly Withdrawn[];
  /** The units that are withdrawn now. */
  readonly unitIds: readonly number[];
};

/** Of different offers, none of them short (`shortageOf`). */
export async function writeWithdrawals(
  tx: Tx,
  codeMacs: Custody['codeMacs'],
  withdrawals: readonly Withdrawal[],
): Promise<WrittenWithdrawals> {
  if (withdrawals.length === 0) return { responses: [], unitIds: [] };
  const counted = withdrawals.flatMap(({ offer, body: { quantity, kind } }) =>
    quantity === undefined ? [] : [{ offerId: offer.id, quantity, kind }],
  );
  const offerIds = withdrawals.map(({ offer }) => offer.id);
  const youngest = await listYoungestUnits(tx, counted);
  const named = await listHeldCodes(tx, codeMacs(withdrawals.flatMap(({ body }) => body.codes ?? [])));
  await keepWithdrawn(
    tx,
    offerIds,
    named.flatMap((code) => (code?.state === 'withdrawn' ? [code.unitId] : [])),
  );
  const held = named.values();
  const chosen = withdrawals.map(({ offer, body: { codes = [] } }) =>
    chooseUnsold(
      offer,
      codes.map(() => held.next().value),
    ),
  );
  const unitIds = [...youngest, ...chosen.flatMap((choice) => [...choice.unitIds])];
  const gone = new Map(
    (await takeOffSale(tx, unitIds, undefined)).map(({ offerId, units }) => [offerId, units]),
  );
  const goneCount = [...gone.values()].reduce((sum, units) => sum + units, 0);
  const wantedCount = unitIds.length;
  assert(goneCount === wantedCount, `${wantedCount} units were to be withdrawn, ${goneCount} were`);
  const responses = withdrawals.map(({ offer, body }, index) => {
    const withdrawn = gone.get(offer.id) ?? 0;
    assert(
      body.quantity === undefined || withdrawn === body.quantity,
      'the counters of a locked offer are right',
    );
    return { withdrawn, notWithdrawn: must(chosen[index], 'a choice for each withdrawal').notWithdrawn };
  });
  return { responses, unitIds };
}

/** A code that is named twice is one unit. */
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

/** What the audit log keeps of a withdrawal; never a code. */
export function auditDataOf({ offer, body }: Withdrawal, withdrawn: number): Record<string, unknown> {
  const asked = { quantity: body.quantity, kind: body.kind, codes: body.codes?.length };
  return { offerId: offer.id, reason: body.reason, ...asked, withdrawn };
}
