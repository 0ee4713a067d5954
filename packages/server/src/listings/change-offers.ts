import {
  type ChangedOffer,
  OFFER_CHANGES_KEY_COUNT_MAX,
  type OfferChange,
} from '@keyport/contract/catalogue/offer-changes';
import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import { assert, must } from '@keyport/core/assert';
import { formatMinor, toMinor } from '@keyport/core/money';
import { ApiError } from '@keyport/http/replies/api-error';
import { brokenRule, type FieldProblem } from '@keyport/http/validation/query';
import { validationError } from '@keyport/http/validation/validation';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudits } from '../audit/append-audit.sql.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { WriteEffect } from '../operations/operation.ts';
import { NO_EFFECT } from '../operations/write-effect.ts';
import { type LockedOffer, lockOffers } from '../stock/stock.sql.ts';
import {
  findShortage,
  toAuditData,
  toSearch,
  type Withdrawal,
  type Withdrawn,
  withdrawalProblem,
  writeWithdrawals,
} from '../stock/withdraw-keys.ts';
import { countUnits, type UnitCounts, updateOffers } from './catalogue.sql.ts';
import { type GivenKeys, type KeyStock, readKeys, showOffer, unknownReference } from './catalogue.ts';

/** As many as a validation-error shows. */
const CONFLICTS_SHOWN_MAX = 20;

/** An unknown offer, or too few keys to withdraw. */
type Obstacle = {
  readonly code: 'not-found' | 'conflict';
  readonly index: number;
  readonly message: string;
};

type Plan = {
  readonly change: OfferChange;
  readonly offer: LockedOffer;
  readonly priceMinor: number;
  readonly status: LockedOffer['status'];
  readonly withdrawal: Withdrawal | undefined;
};

type Outcome = Plan & {
  readonly given: GivenKeys;
  readonly withdrawn: Withdrawn | undefined;
  readonly addedCount: number;
};

/** Throws not-found. */
export async function changeOffer(
  tx: Tx,
  stock: KeyStock,
  acting: Acting,
  change: Omit<OfferChange, 'withdrawKeys'>,
) {
  const changes = [{ ...change, offerId: change.offerId.toLowerCase() }];
  const notFound = ([obstacle]: readonly Obstacle[]) =>
    new ApiError('not-found', { message: obstacle?.message });
  const { data, ...written } = await write(tx, stock, acting, changes, notFound);
  return { ...written, data: must(data[0], 'an offer for each change') };
}

/** With a reason, one audit entry lists the changed prices and statuses. */
type Changing = Acting & { readonly reason?: string | undefined };

/** Throws conflict, and validation-error for unknown offers. */
export function changeOffers(tx: Tx, stock: KeyStock, acting: Changing, changes: readonly OfferChange[]) {
  return write(tx, stock, acting, changes, deriveError);
}

export function readChanges(body: readonly OfferChange[]): OfferChange[] {
  const changes = body.map((change) => ({ ...change, offerId: change.offerId.toLowerCase() }));
  const problems = findProblems(changes);
  if (problems.length > 0) throw validationError(problems);
  return changes;
}

function findProblems(changes: readonly OfferChange[]): FieldProblem[] {
  const places = new Map<string, number>();
  const problems = changes.flatMap(({ offerId, withdrawKeys }, index): FieldProblem[] => {
    const field = `body.changes[${index}]`;
    const before = places.get(offerId);
    places.set(offerId, before ?? index);
    if (before !== undefined) {
      return [brokenRule(`${field}.offerId`, `is also the id in changes[${before}]; combine both changes`)];
    }
    const problem = withdrawKeys && withdrawalProblem(withdrawKeys, `${field}.withdrawKeys`);
    return problem === undefined ? [] : [brokenRule(...problem)];
  });
  for (const [verb, count] of [
    ['add', sum(changes, ({ addKeys }) => addKeys?.length)],
    ['withdraw', sum(changes, ({ withdrawKeys }) => withdrawKeys?.quantity ?? withdrawKeys?.codes?.length)],
  ] as const) {
    if (count > OFFER_CHANGES_KEY_COUNT_MAX) {
      const rule = `must ${verb} at most ${OFFER_CHANGES_KEY_COUNT_MAX} keys in all, not ${count}; send fewer at a time`;
      problems.push(brokenRule('body.changes', rule));
    }
  }
  return problems;
}

/** Reports unknown offers first, because their stock is unknown. */
function deriveError(obstacles: readonly Obstacle[]): ApiError {
  const unknown = obstacles.filter(({ code }) => code === 'not-found');
  if (unknown.length > 0) {
    const { message } = unknownReference('offerId', 'offer');
    return validationError(unknown.map(({ index }) => brokenRule(`body.changes[${index}].offerId`, message)));
  }
  const errors = obstacles.slice(0, CONFLICTS_SHOWN_MAX).map(({ code, index, message }) => {
    return { code, field: `body.changes[${index}].withdrawKeys.quantity`, message };
  });
  return new ApiError('conflict', {
    message: 'An offer has too few unsold keys; nothing was changed.',
    errors,
  });
}

/**
 * Makes all changes or none. They must name different offers, with lower-case ids. Locks: offers by id with
 * their units, then the catalogue clock.
 */
async function write(
  tx: Tx,
  stock: KeyStock,
  request: Changing,
  changes: readonly OfferChange[],
  toError: (obstacles: readonly Obstacle[]) => ApiError,
) {
  const given = changes.map(({ offerId, addKeys = [] }, change) => {
    const keys = addKeys.map((key) => ({ ...key, offerId }));
    return readKeys(keys, (index) => `body.changes[${change}].addKeys[${index}].code`);
  });
  const codes = given.flatMap(({ codes: some }) => some);
  // Seals codes before the offers are locked, because orders wait for those locks.
  const sealed = codes.length === 0 ? [] : await stock.sealCodes(tx, codes);
  const offerIds = changes.map(({ offerId }) => offerId);
  const offers = await lockOffers(tx, offerIds);
  const obstacles = changes.flatMap((change, index) =>
    findObstacles(change, offers.get(change.offerId), index),
  );
  if (obstacles.length > 0) throw toError(obstacles);

  const plans = changes.map((change, index) => ({
    ...toPlan(change, must(offers.get(change.offerId), 'a locked offer')),
    given: must(given[index], 'the keys of each change'),
  }));
  await savePrices(tx, plans.filter(isWritten));
  const withdrawals = plans.flatMap(({ withdrawal }) => withdrawal ?? []);
  const { responses, unitIds } = await writeWithdrawals(tx, stock.codeMacs, withdrawals);
  const withdrawn = new Map(
    withdrawals.map(({ offer }, index) => [offer.id, must(responses[index], 'a result for each withdrawal')]),
  );
  const { addedByOffer } = await stock.insertSealedKeys(tx, sealed);
  const added = new Map(addedByOffer.map(({ offerId, text, image }) => [offerId, text + image]));
  const outcomes = plans.map((plan): Outcome => {
    const { id } = plan.offer;
    return { ...plan, withdrawn: withdrawn.get(id), addedCount: added.get(id) ?? 0 };
  });

  const audits = toAudits(outcomes, request.reason);
  await insertAudits(
    tx,
    audits.map(([action, data]) => auditRecord(request, action, { data })),
  );
  const units = await countUnits(tx, offerIds);
  const productIds = [...new Set(outcomes.filter(isVisible).map(({ offer }) => offer.productId))];
  await logChanges(tx, { productIds });
  return {
    status: 200 as const,
    data: outcomes.map((outcome) => toResponse(outcome, must(units.get(outcome.offer.id), 'a count'))),
    effect: toEffect(outcomes, unitIds),
    isVisible: productIds.length > 0,
  };
}

function findObstacles(change: OfferChange, offer: LockedOffer | undefined, index: number): Obstacle[] {
  if (offer === undefined) return [{ code: 'not-found', index, message: 'There is no offer with this id.' }];
  const { withdrawKeys } = change;
  const shortage = withdrawKeys === undefined ? undefined : findShortage({ offer, body: withdrawKeys });
  return shortage === undefined ? [] : [{ code: 'conflict', index, message: shortage.message }];
}

function toPlan(change: OfferChange, offer: LockedOffer): Plan {
  const { price, status = offer.status, withdrawKeys } = change;
  const priceMinor = price === undefined ? offer.priceMinor : toMinor(price);
  const withdrawal = withdrawKeys === undefined ? undefined : { offer, body: withdrawKeys };
  return { change, offer, priceMinor, status, withdrawal };
}

function isUpdate({ offer, priceMinor, status }: Plan): boolean {
  return priceMinor !== offer.priceMinor || status !== offer.status;
}

/** Setting the price or status ends an import's pause. */
function isWritten(plan: Plan): boolean {
  const { price, status } = plan.change;
  return isUpdate(plan) || (plan.offer.isPausedByImport && (price ?? status) !== undefined);
}

/** Whether resellers see the change. */
function isVisible(outcome: Outcome): boolean {
  return isUpdate(outcome) || (outcome.withdrawn?.withdrawn ?? 0) + outcome.addedCount > 0;
}

async function savePrices(tx: Tx, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return;
  const rows = plans.map(({ offer, priceMinor, status }) => ({ id: offer.id, priceMinor, status }));
  const count = await updateOffers(tx, rows);
  assert(count === rows.length, `${rows.length} offers should have been updated, but ${count} were`);
}

function toEffect(outcomes: readonly Outcome[], unitIds: readonly number[]): WriteEffect {
  const stock = outcomes.map(({ offer, withdrawn, addedCount }) => {
    const before = offer.available.text + offer.available.image;
    return { offerId: offer.id, before, after: before - (withdrawn?.withdrawn ?? 0) + addedCount };
  });
  const named = toSearch(
    outcomes.map(({ change }) => change.withdrawKeys ?? {}),
    outcomes.map(({ withdrawn }) => withdrawn),
  ).codes;
  const toAdd = sum(outcomes, ({ change }) => change.addKeys?.length);
  const given = toAdd + (named?.given ?? 0);
  const added = sum(outcomes, ({ addedCount }) => addedCount);
  const terms = (priceMinor: number, status: string) => ({ price: formatMinor(priceMinor), status });
  return {
    ...(given === 0 ? {} : { codes: { given, found: toAdd - added + (named?.found ?? 0) } }),
    preview: {
      ...NO_EFFECT,
      units: { ...NO_EFFECT.units, withdrawn: unitIds.length, added },
      stock: stock.filter(({ before, after }) => before !== after),
      offers: outcomes.filter(isUpdate).map(({ offer, priceMinor, status }) => {
        const before = terms(offer.priceMinor, offer.status);
        return { offerId: offer.id, before, after: terms(priceMinor, status) };
      }),
    },
    state: [
      'offers',
      outcomes.map(({ offer, addedCount }) => [offer.id, offer.priceMinor, offer.status, addedCount]),
      unitIds.toSorted((one, other) => one - other),
    ],
  };
}

type Audits = [action: AuditAction, Record<string, unknown>][];

function toAudits(outcomes: readonly Outcome[], reason: string | undefined): Audits {
  const audits = outcomes.flatMap((outcome) => auditsOfOne(outcome, reason));
  const changed = reason === undefined ? [] : outcomes.filter(isUpdate);
  if (changed.length === 0) return audits;
  const changes = changed.map(({ offer, priceMinor, status }) => ({
    offerId: offer.id,
    before: { price: formatMinor(offer.priceMinor), status: offer.status },
    after: { price: formatMinor(priceMinor), status },
  }));
  return [['offer.change-many', { reason, count: changes.length, changes }], ...audits];
}

function auditsOfOne(outcome: Outcome, reason: string | undefined): Audits {
  const { change, offer, withdrawal, withdrawn, addedCount } = outcome;
  const { price, status, addKeys } = change;
  const audits: Audits = [];
  if (reason === undefined && (price !== undefined || status !== undefined)) {
    const made = isUpdate(outcome) ? 'changed' : 'unchanged';
    audits.push(['offer.update', { offerId: offer.id, price, status, outcome: made }]);
  }
  if (withdrawal !== undefined) {
    audits.push(['keys.withdraw', toAuditData(withdrawal, withdrawn?.withdrawn ?? 0)]);
  }
  if (addKeys !== undefined) {
    const duplicates = addKeys.length - addedCount;
    audits.push(['keys.add', { offerId: offer.id, added: addedCount, duplicates }]);
  }
  return audits;
}

function toResponse(outcome: Outcome, units: UnitCounts): ChangedOffer {
  const { change, offer, priceMinor, status, withdrawn, addedCount, given } = outcome;
  const duplicates = (change.addKeys?.length ?? 0) - addedCount;
  return {
    ...showOffer({ ...offer, priceMinor, status, units }),
    ...(withdrawn === undefined ? {} : { keysWithdrawn: withdrawn }),
    ...(change.addKeys === undefined
      ? {}
      : { keysAdded: { added: addedCount, duplicates, trimmed: given.trimmed } }),
  };
}

function sum<Row>(rows: readonly Row[], computeCount: (row: Row) => number | undefined): number {
  return rows.reduce((total, row) => total + (computeCount(row) ?? 0), 0);
}
