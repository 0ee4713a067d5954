/** A445. */
import type { AdminOrder, ReplaceKeyBody } from '@keyport/contract/orders/operator-orders';
import { must } from '@keyport/core/assert';
import { type ReplacementRejection, rejectReplacement } from '@keyport/core/orders/order-keys';
import { type ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../../db/schema.ts';
import type { Written } from '../../operations/operation.ts';
import { loadOrder, previewChange, showAdminOrder, toState } from '../changes/order-effect.ts';
import { type LockedOrder, lockOffersOf, lockOrder } from '../changes/order-updates.sql.ts';
import type { OrderDeps } from '../order-deps.ts';
import * as sql from './order-keys.sql.ts';

export async function replaceKey(
  tx: Tx,
  command: Acting & { readonly orderId: string; readonly body: ReplaceKeyBody },
  deps: Pick<OrderDeps, 'codeMacs' | 'onCatalogueChanged'>,
): Promise<Written<AdminOrder & { readonly replacedKeyId: string; readonly newKeyId: string }>> {
  const { orderId, body } = command;
  const order = requireFound(await lockOrder(tx, orderId), 'order');
  await lockOffersOf(tx, [order.id]);
  const held = await sql.listUnits(tx, order.id);
  const unit = await chooseUnit(tx, deps, order, held, body);
  const [line] = order.items;
  const { offerId, id: itemId } = must(line, 'an order made here has one line');
  const before = await loadOrder(tx, order.id);
  const newKeyId = String(await sql.replaceUnit(tx, { orderId: order.id, offerId, unit }));
  const ids = { itemId, replacedKeyId: String(unit.id), newKeyId };
  const details = { accountId: order.accountId, orderId, data: { reason: body.reason, ...ids } };
  await audit(tx, command, 'order.replace-key', details);
  const units = { withdrawn: 1, delivered: 1 };
  const { after, preview } = await previewChange(tx, order, { before, units, gained: -1 });
  await logChanges(tx, { productIds: order.productIds });
  return {
    status: 200,
    data: { ...showAdminOrder(after), replacedKeyId: ids.replacedKeyId, newKeyId },
    effect: { preview, state: [...toState(order), held.map(({ id }) => id)] },
    onCommitted: deps.onCatalogueChanged,
  };
}

async function chooseUnit(
  tx: Tx,
  { codeMacs }: Pick<OrderDeps, 'codeMacs'>,
  order: LockedOrder,
  units: readonly sql.UnitOfOrder[],
  { keyId, code }: ReplaceKeyBody,
): Promise<sql.UnitOfOrder> {
  const [codeMac] = code === undefined ? [] : codeMacs([code]);
  const isWanted = (one: Pick<sql.UnitOfOrder, 'id' | 'codeMac'>) =>
    codeMac === undefined ? String(one.id) === keyId : one.codeMac.equals(codeMac);
  const isNamed = keyId !== undefined || code !== undefined;
  const unit = isNamed ? units.find(isWanted) : units[0];
  const wasReplaced = isNamed && (await sql.listReplaced(tx, order.id)).some(isWanted);
  const rejection = rejectReplacement(
    { status: order.status, isImported: order.paymentMethod === null, units },
    { isNamed, unit, wasReplaced },
    await sql.countTextOnSale(tx, order.id),
  );
  if (rejection !== undefined) throw describeRejection(rejection, code === undefined ? 'keyId' : 'code');
  return must(unit, 'a unit that may be replaced');
}

function describeRejection(rejection: ReplacementRejection, field: 'keyId' | 'code'): ApiError {
  switch (rejection.code) {
    case 'order-was-imported':
      return conflict('The order was imported; the service does not have its keys.');
    case 'order-is-not-delivered':
      return conflict(`The order is ${rejection.status}; only keys of a complete order can be replaced.`, {
        status: rejection.status,
      });
    case 'key-is-not-named':
      return invalidField('body.keyId', `is required: the order has ${rejection.keyCount} keys`);
    case 'key-is-not-of-order':
      return invalidField(
        `body.${field}`,
        `must be the ${field === 'code' ? 'code' : 'id'} of a key of the order`,
      );
    case 'key-was-replaced':
      return conflict('The key has already been replaced; see the keys of the order.');
    case 'key-was-refunded':
      return conflict('The key was refunded; there is nothing to replace.');
    case 'nothing-in-stock':
      return conflict('The offer has no other key on sale. Add keys to it, or refund the unit.', {
        availableQuantity: 0,
      });
  }
}
