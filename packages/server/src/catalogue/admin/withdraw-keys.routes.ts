/** Takes unsold keys of an offer out of stock, for good: a recalled batch, codes that leaked. A91. */
import { must } from '@keyport/core/assert';
import { auditRecord } from '../../audit/action.ts';
import type { Custody } from '../../custody/product-keys.ts';
import { insertAudit } from '../../db/audit.sql.ts';
import { logChanges } from '../../db/catalogue-clock.sql.ts';
import { ApiError, invalidField, requireFound } from '../../http/api-error.ts';
import type { OperationHandlers } from '../../http/operation.ts';
import { lockOffers } from './catalogue.sql.ts';
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
        const [written] = await writeWithdrawals(tx, codeMacs, [withdrawal]);
        const { withdrawn, notWithdrawn } = must(written, 'an answer for each withdrawal');
        const auditData = auditDataOf(withdrawal, withdrawn);
        await insertAudit(tx, auditRecord(request, 'keys.withdraw', { data: auditData }));
        const quantity = offer.available.text + offer.available.image - withdrawn;
        const data = { withdrawn, quantity, notWithdrawn };
        if (withdrawn === 0) return { status: 200, data };
        await logChanges(tx, { productIds: [offer.productId] });
        return { status: 200, data, onCommitted: onCatalogueChanged };
      };
    },
  };
}
