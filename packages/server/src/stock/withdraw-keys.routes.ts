/** Takes unsold keys of an offer out of stock, for good: a recalled batch, codes that leaked. A91. */
import type { KeysWithdrawn } from '@keyport/contract/catalogue/stock-keys';
import { must } from '@keyport/core/assert';
import { ApiError, invalidField, requireFound } from '@keyport/http/replies/api-error';
import type { Static } from 'typebox';
import { auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import { lockOffers } from '../listings/catalogue.sql.ts';
import type { OperationHandlers, WriteEffect } from '../operations/operation.ts';
import { NO_EFFECT } from '../operations/write-effect.ts';
import type { Custody } from './product-keys.ts';
import { auditDataOf, shortageOf, withdrawalProblem, writeWithdrawals } from './withdraw-keys.ts';

export type WithdrawKeysDeps = {
  /** Finds codes without opening any (custody/). */
  readonly codeMacs: Custody['codeMacs'];
  readonly onCatalogueChanged: () => void;
};

export function buildWithdrawKeysHandlers(deps: WithdrawKeysDeps): Pick<OperationHandlers, 'withdrawKeys'> {
  const { codeMacs, onCatalogueChanged } = deps;
  return {
    withdrawKeys(request) {
      const { body } = request;
      const problem = withdrawalProblem(body, 'body');
      if (problem !== undefined) throw invalidField(...problem);
      const offerId = request.params.offerId.toLowerCase();
      return async (tx) => {
        const offer = requireFound((await lockOffers(tx, [offerId])).get(offerId), 'offer');
        const withdrawal = { offer, body };
        const shortage = shortageOf(withdrawal);
        if (shortage !== undefined) {
          const { message, availableQuantity } = shortage;
          throw new ApiError('conflict', { message, data: { availableQuantity } });
        }
        const { responses, unitIds } = await writeWithdrawals(tx, codeMacs, [withdrawal]);
        const { withdrawn, notWithdrawn } = must(responses[0], 'an answer for each withdrawal');
        const auditData = auditDataOf(withdrawal, withdrawn);
        await insertAudit(tx, auditRecord(request, 'keys.withdraw', { data: auditData }));
        const before = offer.available.text + offer.available.image;
        const data = { withdrawn, quantity: before - withdrawn, notWithdrawn };
        const effect = effectOf({ offerId, before, unitIds }, data);
        if (withdrawn === 0) return { status: 200, data, effect };
        await logChanges(tx, { productIds: [offer.productId] });
        return { status: 200, data, effect, onCommitted: onCatalogueChanged };
      };
    },
  };
}

/** The state is which units go: once some of them are sold, others go. */
function effectOf(
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
