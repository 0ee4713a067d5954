/**
 * Changes prices, statuses and keys of offers, all or none. Locks: offers by id with their units, then, by
 * the caller, the catalogue clock.
 */

import type { ChangedOffer, OfferChange } from '@keyport/contract/catalogue/offer-changes';
import type { AuditAction } from '@keyport/contract/operators/audit';
import { assert, must } from '@keyport/core/assert';
import { formatMinor, minorOf } from '@keyport/core/money';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudits } from '../audit/append-audit.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { WriteEffect } from '../operations/operation.ts';
import { NO_EFFECT } from '../operations/write-effect.ts';
import type { Custody } from '../stock/product-keys.ts';
import { type LockedOffer, lockOffers } from '../stock/stock.sql.ts';
import {
  auditDataOf,
  shortageOf,
  type Withdrawal,
  type Withdrawn,
  writeWithdrawals,
} from '../stock/withdraw-keys.ts';
import { countUnits, type UnitCounts, updateOffers } from './catalogue.sql.ts';
import { type KeyStock, newCode } from './catalogue.ts';

export type OfferStock = KeyStock & Pick<Custody, 'codeMacs'>;

/** An unknown offer, or too few keys to withdraw. */
export type OfferChangeRejection = {
  readonly code: 'not-found' | 'conflict';
  readonly index: number;
  readonly message: string;
};

export type ChangesWritten = {
  readonly offers: readonly ChangedOffer[];
  readonly changedProductIds: readonly number[];
  readonly effect: WriteEffect;
};

type Plan = {
  readonly change: OfferChange;
  readonly offer: LockedOffer;
  readonly priceMinor: number;
  readonly status: LockedOffer['status'];
  readonly withdrawal: Withdrawal | undefined;
};

type Keys = { readonly withdrawn: Withdrawn | undefined; readonly addedCount: number };

/** Changes of different offers, with ids in lower case. */
export async function writeOfferChanges(
  tx: Tx,
  stock: OfferStock,
  request: Acting,
  changes: readonly OfferChange[],
): Promise<ChangesWritten | { readonly rejections: readonly OfferChangeRejection[] }> {
  const codes = changes.flatMap(({ offerId, addKeys = [] }) =>
    addKeys.map((key) => newCode({ ...key, offerId })),
  );
  // Sealed before the offers are locked: orders wait for those locks.
  const sealed = codes.length === 0 ? [] : await stock.sealCodes(tx, codes);
  const offerIds = changes.map(({ offerId }) => offerId);
  const offers = await lockOffers(tx, offerIds);
  const rejections = changes.flatMap((change, index) => refuse(change, offers.get(change.offerId), index));
  if (rejections.length > 0) return { rejections };

  const plans = changes.map((change) => planOf(change, must(offers.get(change.offerId), 'a locked offer')));
  await savePrices(tx, plans.filter(isWritten));
  const { withdrawn, unitIds } = await withdraw(tx, stock, plans);
  const { addedByOffer } = await stock.insertSealedKeys(tx, sealed);
  const added = new Map(addedByOffer.map(({ offerId, text, image }) => [offerId, text + image]));

  const outcomes = plans.map((plan) => {
    const keys = { withdrawn: withdrawn.get(plan.offer.id), addedCount: added.get(plan.offer.id) ?? 0 };
    return {
      plan,
      keys,
      isVisible: isUpdate(plan) || (keys.withdrawn?.withdrawn ?? 0) + keys.addedCount > 0,
    };
  });
  const audits = outcomes.flatMap(({ plan, keys }) => auditsOf(plan, keys));
  await insertAudits(
    tx,
    audits.map(([action, data]) => auditRecord(request, action, { data })),
  );
  const units = await countUnits(tx, offerIds);
  const seen = outcomes.filter(({ isVisible }) => isVisible);
  return {
    offers: outcomes.map(({ plan, keys }) =>
      responseOf(plan, keys, must(units.get(plan.offer.id), 'a count')),
    ),
    changedProductIds: [...new Set(seen.map(({ plan }) => plan.offer.productId))],
    effect: effectOf(outcomes, unitIds),
  };
}

function refuse(change: OfferChange, offer: LockedOffer | undefined, index: number): OfferChangeRejection[] {
  if (offer === undefined) return [{ code: 'not-found', index, message: 'There is no offer with this id.' }];
  const { withdrawKeys } = change;
  const shortage = withdrawKeys === undefined ? undefined : shortageOf({ offer, body: withdrawKeys });
  return shortage === undefined ? [] : [{ code: 'conflict', index, message: shortage.message }];
}

function planOf(change: OfferChange, offer: LockedOffer): Plan {
  const { price, status = offer.status, withdrawKeys } = change;
  return {
    change,
    offer,
    priceMinor: price === undefined ? offer.priceMinor : minorOf(price),
    status,
    withdrawal: withdrawKeys === undefined ? undefined : { offer, body: withdrawKeys },
  };
}

function isUpdate({ offer, priceMinor, status }: Plan): boolean {
  return priceMinor !== offer.priceMinor || status !== offer.status;
}

/** A person who sets price or status ends the pause of an import. */
function isWritten(plan: Plan): boolean {
  const { price, status } = plan.change;
  return isUpdate(plan) || (plan.offer.isPausedByImport && (price ?? status) !== undefined);
}

async function savePrices(tx: Tx, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return;
  const rows = plans.map(({ offer, priceMinor, status }) => ({ id: offer.id, priceMinor, status }));
  const count = await updateOffers(tx, rows);
  assert(count === rows.length, `${rows.length} offers were to be updated, ${count} were`);
}

async function withdraw(
  tx: Tx,
  { codeMacs }: OfferStock,
  plans: readonly Plan[],
): Promise<{ readonly withdrawn: Map<string, Withdrawn>; readonly unitIds: readonly number[] }> {
  const withdrawals = plans.flatMap(({ withdrawal }) => withdrawal ?? []);
  const { responses, unitIds } = await writeWithdrawals(tx, codeMacs, withdrawals);
  const withdrawn = new Map(
    withdrawals.map(({ offer }, index) => [offer.id, must(responses[index], 'a result for each withdrawal')]),
  );
  return { withdrawn, unitIds };
}

function effectOf(
  outcomes: readonly { readonly plan: Plan; readonly keys: Keys }[],
  unitIds: readonly number[],
): WriteEffect {
  const counted = outcomes.map(({ plan: { offer }, keys: { withdrawn, addedCount } }) => {
    const before = offer.available.text + offer.available.image;
    return { offerId: offer.id, before, after: before - (withdrawn?.withdrawn ?? 0) + addedCount };
  });
  const given = outcomes.reduce((sum, { plan }) => sum + (plan.change.addKeys?.length ?? 0), 0);
  const addedCount = outcomes.reduce((sum, { keys }) => sum + keys.addedCount, 0);
  const terms = (priceMinor: number, status: string) => ({ price: formatMinor(priceMinor), status });
  return {
    ...(given === 0 ? {} : { codes: { given, found: given - addedCount } }),
    preview: {
      ...NO_EFFECT,
      units: {
        ...NO_EFFECT.units,
        withdrawn: unitIds.length,
        added: addedCount,
      },
      stock: counted.filter(({ before, after }) => before !== after),
      offers: outcomes.flatMap(({ plan }) => {
        const { offer, priceMinor, status } = plan;
        if (!isUpdate(plan)) return [];
        const before = terms(offer.priceMinor, offer.status);
        return [{ offerId: offer.id, before, after: terms(priceMinor, status) }];
      }),
    },
    state: [
      'offers',
      outcomes.map(({ plan: { offer }, keys }) => [
        offer.id,
        offer.priceMinor,
        offer.status,
        keys.addedCount,
      ]),
      unitIds.toSorted((one, other) => one - other),
    ],
  };
}

function auditsOf(
  plan: Plan,
  { withdrawn, addedCount }: Keys,
): [action: AuditAction, Record<string, unknown>][] {
  const { change, offer, withdrawal } = plan;
  const { price, status, addKeys } = change;
  const audits: [AuditAction, Record<string, unknown>][] = [];
  if (price !== undefined || status !== undefined) {
    const outcome = isUpdate(plan) ? 'changed' : 'unchanged';
    audits.push(['offer.update', { offerId: offer.id, price, status, outcome }]);
  }
  if (withdrawal !== undefined) {
    audits.push(['keys.withdraw', auditDataOf(withdrawal, withdrawn?.withdrawn ?? 0)]);
  }
  if (addKeys !== undefined) {
    const duplicates = addKeys.length - addedCount;
    audits.push(['keys.add', { offerId: offer.id, added: addedCount, duplicates }]);
  }
  return audits;
}

function responseOf(plan: Plan, { withdrawn, addedCount }: Keys, units: UnitCounts): ChangedOffer {
  const { change, offer, priceMinor, status } = plan;
  const duplicates = (change.addKeys?.length ?? 0) - addedCount;
  return {
    id: offer.id,
    productId: String(offer.productId),
    sellerId: offer.sellerId,
    price: formatMinor(priceMinor),
    status,
    quantity: units.available,
    units,
    ...(withdrawn === undefined ? {} : { keysWithdrawn: withdrawn }),
    ...(change.addKeys === undefined ? {} : { keysAdded: { added: addedCount, duplicates } }),
  };
}
