/** Changes offers one at a time and many at once: prices, statuses, keys. What is written: offer-changes.ts. A135. */
import {
  type ChangedOffer,
  OFFER_CHANGES_KEY_COUNT_MAX,
  type OfferChange,
} from '@keyport/contract/catalogue/offer-changes';
import { must } from '@keyport/core/assert';
import { ApiError } from '@keyport/http/replies/api-error';
import { brokenRule, type FieldProblem } from '@keyport/http/validation/query';
import { validationError } from '@keyport/http/validation/validation';
import type { Acting } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { OperationHandlers, WriteWork } from '../operations/operation.ts';
import { withdrawalProblem } from '../stock/withdraw-keys.ts';
import { unknownReference } from './catalogue.ts';
import {
  type ChangesWritten,
  type OfferChangeRejection,
  type OfferStock,
  writeOfferChanges,
} from './offer-changes.ts';

export type OfferChangesDeps = {
  readonly stock: OfferStock;
  readonly onCatalogueChanged: () => void;
};

/** As of a validation-error (A76). */
const CONFLICTS_SHOWN_MAX = 20;

export function buildOfferChangesHandlers(
  deps: OfferChangesDeps,
): Pick<OperationHandlers, 'updateOffer' | 'changeOffers'> {
  return {
    updateOffer: (request) => changeOffer(deps, request, { ...request.params, ...request.body }),

    changeOffers(request) {
      const changes = request.body.changes.map((change) => ({
        ...change,
        offerId: change.offerId.toLowerCase(),
      }));
      const problems = problemsOf(changes);
      if (problems.length > 0) throw validationError(problems);
      return write(deps, request, changes, { dataOf: (offers) => offers, errorOf });
    },
  };
}

/** One change that takes no keys out of stock. */
export function changeOffer(
  deps: OfferChangesDeps,
  acting: Acting,
  change: Omit<OfferChange, 'withdrawKeys'>,
): WriteWork<ChangedOffer> {
  return write(deps, acting, [{ ...change, offerId: change.offerId.toLowerCase() }], {
    dataOf: ([offer]) => must(offer, 'an answer for each change'),
    errorOf: ([rejection]) =>
      new ApiError('not-found', rejection === undefined ? {} : { message: rejection.message }),
  });
}

function write<Data>(
  { stock, onCatalogueChanged }: OfferChangesDeps,
  request: Acting,
  changes: readonly OfferChange[],
  response: {
    readonly dataOf: (offers: ChangesWritten['offers']) => Data;
    readonly errorOf: (rejections: readonly OfferChangeRejection[]) => ApiError;
  },
): WriteWork<Data> {
  return async (tx) => {
    const outcome = await writeOfferChanges(tx, stock, request, changes);
    if ('rejections' in outcome) throw response.errorOf(outcome.rejections);
    const { offers, changedProductIds, effect } = outcome;
    await logChanges(tx, { productIds: changedProductIds });
    return {
      status: 200,
      data: response.dataOf(offers),
      effect,
      ...(changedProductIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
    };
  };
}

/** What no schema says about the changes. */
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

/** Offers that do not exist come first: their stock is unknown. */
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
