import { OFFER_CHANGES_KEY_COUNT_MAX, type OfferChange } from '@keyport/contract/catalogue/offer-changes';
import { must } from '@keyport/core/assert';
import { ApiError } from '@keyport/http/replies/api-error';
import { brokenRule, type FieldProblem } from '@keyport/http/validation/query';
import { validationError } from '@keyport/http/validation/validation';
import type { Acting } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import { withdrawalProblem } from '../stock/withdraw-keys.ts';
import { unknownReference } from './catalogue.ts';
import { type OfferChangeRejection, type OfferStock, writeOfferChanges } from './offer-changes.ts';

const CONFLICTS_SHOWN_MAX = 20;

/** Throws not-found. */
export async function changeOffer(
  tx: Tx,
  stock: OfferStock,
  acting: Acting,
  change: Omit<OfferChange, 'withdrawKeys'>,
) {
  const changes = [{ ...change, offerId: change.offerId.toLowerCase() }];
  const { data, ...written } = await write(
    tx,
    stock,
    acting,
    changes,
    ([rejection]) => new ApiError('not-found', rejection === undefined ? {} : { message: rejection.message }),
  );
  return { ...written, data: must(data[0], 'an offer for each change') };
}

/** Throws conflict, and validation-error for unknown offers. */
export function changeOffers(tx: Tx, stock: OfferStock, acting: Acting, changes: readonly OfferChange[]) {
  return write(tx, stock, acting, changes, errorOf);
}

export function readChanges(body: readonly OfferChange[]): OfferChange[] {
  const changes = body.map((change) => ({ ...change, offerId: change.offerId.toLowerCase() }));
  const problems = problemsOf(changes);
  if (problems.length > 0) throw validationError(problems);
  return changes;
}

async function write(
  tx: Tx,
  stock: OfferStock,
  acting: Acting,
  changes: readonly OfferChange[],
  toError: (rejections: readonly OfferChangeRejection[]) => ApiError,
) {
  const outcome = await writeOfferChanges(tx, stock, acting, changes);
  if ('rejections' in outcome) throw toError(outcome.rejections);
  const { offers: data, changedProductIds, effect } = outcome;
  await logChanges(tx, { productIds: changedProductIds });
  return { status: 200 as const, data, effect, isVisible: changedProductIds.length > 0 };
}

function problemsOf(changes: readonly OfferChange[]): FieldProblem[] {
  const places = new Map<string, number>();
  const problems = changes.flatMap(({ offerId, withdrawKeys }, index): FieldProblem[] => {
    const field = `body.changes[${index}]`;
    const before = places.get(offerId);
    places.set(offerId, before ?? index);
    if (before !== undefined) {
      return [brokenRule(`${field}.offerId`, `is that of changes[${before}] too; make one change of both`)];
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

function sum(changes: readonly OfferChange[], countOf: (change: OfferChange) => number | undefined): number {
  return changes.reduce((total, change) => total + (countOf(change) ?? 0), 0);
}

/** Unknown offers come first: their stock is unknown. */
function errorOf(rejections: readonly OfferChangeRejection[]): ApiError {
  const unknown = rejections.filter(({ code }) => code === 'not-found');
  if (unknown.length > 0) {
    const { message } = unknownReference('offerId', 'offer');
    return validationError(unknown.map(({ index }) => brokenRule(`body.changes[${index}].offerId`, message)));
  }
  const errors = rejections.slice(0, CONFLICTS_SHOWN_MAX).map(({ code, index, message }) => ({
    code,
    field: `body.changes[${index}].withdrawKeys.quantity`,
    message,
  }));
  return new ApiError('conflict', {
    message: 'An offer has too few unsold keys; nothing was changed.',
    errors,
  });
}
