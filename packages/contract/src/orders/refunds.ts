/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */

import { type Static, type TSchema, Type } from 'typebox';
import { KeyId } from '../catalogue/stock-keys.ts';
import { Reason, strictObject } from '../formats.ts';
import { DRY_RUN } from '../operators/previews.ts';

const RefundedItem = strictObject({
  id: Type.String({ pattern: '^[0-9]{14,18}$', 'x-rule': 'must be the id of an item of the order' }),
  quantity: Type.Integer({ minimum: 1, maximum: 25, 'x-rule': 'must be a whole number from 1 to 25' }),
});

const refundedItems = <Item extends TSchema>(item: Item) =>
  Type.Optional(
    Type.Array(item, {
      minItems: 1,
      maxItems: 99,
      description: 'Left out: everything that is not refunded yet.',
    }),
  );

const SandboxRefund = {
  reason: Reason,
  items: refundedItems(RefundedItem),
  returnToStock: Type.Optional(
    Type.Boolean({
      description:
        'Units go back on sale; rejected (409) when a key of theirs was ever read. Without it, units of an order that is not delivered are withdrawn.',
    }),
  ),
  withdrawKeys: Type.Optional(
    Type.Boolean({
      description:
        'The keys of the units leave the order and are never sold again, read or not. Without it, and without returnToStock, delivered ones stay with the order and can still be read while it is complete.',
    }),
  ),
};

export const SandboxRefundBody = strictObject(SandboxRefund);

const OrderRefund = strictObject({
  ...SandboxRefund,
  items: refundedItems(
    strictObject({
      ...RefundedItem.properties,
      keyIds: Type.Optional(
        Type.Array(KeyId, {
          minItems: 1,
          maxItems: 25,
          description:
            'The keys to refund, as many as the quantity, of a delivered order. Left out: those delivered last.',
        }),
      ),
    }),
  ),
});

export type OrderRefund = Static<typeof OrderRefund>;

export const OrderRefundBody = strictObject({ ...OrderRefund.properties, ...DRY_RUN });
