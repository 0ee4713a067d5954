/** Takes unsold keys of an offer out of stock, for good: a recalled batch, codes that leaked. A91. */
import type { KeysWithdrawBody } from '@keyport/contract/admin';
import { assert } from '@keyport/core/assert';
import type { Transaction } from 'kysely';
import type { Custody } from '../custody/product-keys.ts';
import { insertAudit } from '../db/audit.sql.ts';
import { stampProducts } from '../db/catalogue-clock.sql.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { ApiError, invalidField } from '../http/api-error.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { auditRecord } from './action.ts';
import {
  type HeldCode,
  type LockedOffer,
  listHeldCodes,
  listYoungestUnits,
  lockOffer,
  withdrawUnits,
} from './withdraw-keys.sql.ts';

export type WithdrawKeysDeps = {
  readonly database: Database;
  /** Finds codes without opening any (custody/). */
  readonly codeMacs: Custody['codeMacs'];
  readonly onCatalogueChanged: () => void;
};

type Choice = {
  readonly unitIds: readonly number[];
  readonly notWithdrawn: readonly { index: number; reason: string; orderId?: string }[];
};

export function buildWithdrawKeysHandlers(deps: WithdrawKeysDeps): Pick<OperationHandlers, 'withdrawKeys'> {
  const { database, codeMacs, onCatalogueChanged } = deps;
  return {
    async withdrawKeys(request) {
      const { body } = request;
      if ((body.quantity === undefined) === (body.codes === undefined)) {
        throw invalidField('body', 'must have exactly one of quantity and codes');
      }
      if (body.kind !== undefined && body.codes !== undefined) {
        throw invalidField('body.kind', 'goes with quantity only; a code has its kind');
      }
      const data = await runTransaction(database, {}, async (tx) => {
        const offer = await lockOffer(tx, request.params.offerId.toLowerCase());
        if (offer === undefined)
          throw new ApiError('not-found', { message: 'There is no offer with this id.' });
        const { unitIds, notWithdrawn } =
          body.codes === undefined
            ? await chooseYoungest(tx, offer, body)
            : chooseUnsold(offer, await listHeldCodes(tx, codeMacs(body.codes)));
        const withdrawn = await withdrawUnits(tx, offer.id, unitIds);
        assert(
          withdrawn === unitIds.length,
          `${unitIds.length} units were to be withdrawn, ${withdrawn} were`,
        );
        const asked = { quantity: body.quantity, kind: body.kind, codes: body.codes?.length };
        const details = { offerId: offer.id, reason: body.reason, ...asked, withdrawn };
        await insertAudit(tx, auditRecord(request, 'keys.withdraw', { data: details }));
        if (withdrawn > 0) await stampProducts(tx, [offer.productId]);
        const quantity = offer.available.text + offer.available.image - withdrawn;
        return { withdrawn, quantity, notWithdrawn };
      });
      if (data.withdrawn > 0) onCatalogueChanged();
      return { status: 200, data };
    },
  };
}

async function chooseYoungest(
  tx: Transaction<Schema>,
  offer: LockedOffer,
  { quantity = 0, kind }: KeysWithdrawBody,
): Promise<Choice> {
  const kinds: readonly ('text' | 'image')[] = kind === undefined ? ['text', 'image'] : [kind];
  const availableQuantity = kinds.reduce((sum, each) => sum + offer.available[each], 0);
  if (quantity > availableQuantity) {
    const unsold = kind === undefined ? 'unsold keys' : `unsold ${kind} keys`;
    throw new ApiError('conflict', {
      message: `The offer has ${availableQuantity} ${unsold}, fewer than quantity ${quantity}; nothing was withdrawn.`,
      data: { availableQuantity },
    });
  }
  return { unitIds: await listYoungestUnits(tx, offer.id, { quantity, kinds }), notWithdrawn: [] };
}

/** A code that is named twice is one unit. */
function chooseUnsold(offer: LockedOffer, held: readonly (HeldCode | undefined)[]): Choice {
  const unitIds = new Set<number>();
  const notWithdrawn = held.flatMap((code, index) => {
    if (code === undefined) return [{ index, reason: 'unknown' }];
    if (code.offerId !== offer.id) return [{ index, reason: 'other-offer' }];
    if (code.state === 'available') {
      unitIds.add(code.unitId);
      return [];
    }
    return [{ index, reason: code.state, ...(code.orderId === null ? {} : { orderId: code.orderId }) }];
  });
  return { unitIds: [...unitIds], notWithdrawn };
}
