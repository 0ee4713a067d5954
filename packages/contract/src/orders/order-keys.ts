import { type Static, Type } from 'typebox';
import { CatalogueOffer } from '../catalogue/operator-offers.ts';
import { Seller } from '../catalogue/operator-products.ts';
import { KEY_KINDS, KEY_STATES, KeyCode, KeyId, MaskedCode } from '../catalogue/stock-keys.ts';
import { DateTime, namedObject, nullable, oneOf, ProductId, Reason, strictObject } from '../formats.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { AdminOrder } from './operator-orders.ts';
import { TransactionItem } from './orders.ts';

const KEY = {
  id: KeyId,
  state: oneOf(KEY_STATES, 'The current state.'),
  maskedCode: MaskedCode,
  readAt: nullable(DateTime, { description: 'When the reseller first read it.' }),
  refundedAt: nullable(DateTime),
  replacedAt: nullable(DateTime, { description: 'When it left the order for another key.' }),
  replacedBy: nullable(KeyId, { description: 'The key that the order got instead.' }),
};

const REFUNDED_AS = ['kept', 'returned', 'withdrawn'] as const;

export const OrderKeyState = namedObject('OperatorOrderKey', {
  ...KEY,
  itemId: Type.String(),
  refundedAs: nullable(
    oneOf(
      REFUNDED_AS,
      'A refunded key stayed with the order (kept), or left it and was returned to stock or withdrawn.',
    ),
  ),
});
export type OrderKeyState = Static<typeof OrderKeyState>;

export const ReplaceKeyBody = strictObject({
  reason: Reason,
  keyId: Type.Optional(KeyId),
  code: Type.Optional({
    ...KeyCode,
    description: 'The code of the key to replace, instead of its id.',
  }),
  ...DRY_RUN,
});
export type ReplaceKeyBody = Static<typeof ReplaceKeyBody>;

export const ReplacedKey = namedObject('OperatorReplacedKey', {
  ...AdminOrder.properties,
  replacedKeyId: { ...KeyId, description: 'The key that left the order; it is never sold again.' },
  newKeyId: { ...KeyId, description: 'The key that the reseller reads now.' },
});

export const FindKeyBody = strictObject({ code: KeyCode });

const { units: _counted, ...OFFER } = CatalogueOffer.properties;

export const FoundKey = namedObject('OperatorFoundKey', {
  key: strictObject({ ...KEY, kind: oneOf(KEY_KINDS, 'The kind of code.') }),
  order: nullable(AdminOrder, {
    description: 'The order that has the key, or had it before it was withdrawn.',
  }),
  item: nullable(TransactionItem),
  product: strictObject({ id: ProductId, name: Type.String() }),
  offer: strictObject(OFFER),
  seller: Seller,
});
