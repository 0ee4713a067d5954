import { type Static, type TSchema, Type } from 'typebox';
import { KeyId } from '../catalogue/stock-keys.ts';
import { Reason } from '../formats.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { optional, strictObject, wholeNumber } from '../schema.ts';

const RefundedItem = strictObject({
  id: Type.String({ pattern: '^[0-9]{14,18}$', 'x-rule': 'must be the id of an item of the order' }),
  quantity: wholeNumber(1, 25),
});
const refundedItems = <Item extends TSchema>(item: Item) =>
  Type.Optional(
    Type.Array(item, {
      minItems: 1,
      maxItems: 99,
      description: 'Default: everything that is not refunded yet.',
    }),
  );

const SANDBOX_REFUND = {
  reason: Reason,
  items: refundedItems(RefundedItem),
  ...optional({
    returnToStock: Type.Boolean({
      description:
        'True: the units go back on sale; rejected (409) if one of their keys was ever read. False: units of an undelivered order are withdrawn.',
    }),
    withdrawKeys: Type.Boolean({
      description:
        'True: the keys of the units, read or unread, leave the order and are never sold again. If neither this nor returnToStock is set, delivered keys stay with the order and can still be read while it is complete.',
    }),
  }),
};
export const SandboxRefundBody = strictObject(SANDBOX_REFUND);

export const ReturnBody = strictObject({
  items: Type.Array(RefundedItem, { minItems: 1, maxItems: 99 }),
  reason: Type.Optional(Reason),
});

export type OrderReturn = Static<typeof ReturnBody>;

const OrderRefund = strictObject({
  ...SANDBOX_REFUND,
  items: refundedItems(
    strictObject({
      ...RefundedItem.properties,
      keyIds: Type.Optional(
        Type.Array(KeyId, {
          minItems: 1,
          maxItems: 25,
          description:
            'For a delivered order: the keys to refund, as many as the quantity. Default: those delivered last.',
        }),
      ),
    }),
  ),
});
export type OrderRefund = Static<typeof OrderRefund>;
export const OrderRefundBody = strictObject({ ...OrderRefund.properties, ...DRY_RUN });
