/** What operators do about keys that were sold: see those of an order, replace one, find whose one is. A445 to A447. */
import type { AdminOrder } from '@keyport/contract/orders/operator-orders';
import type { OrderKeyState, ReplaceKeyBody } from '@keyport/contract/orders/order-keys';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { type ReplacementRejection, rejectReplacement } from '@keyport/core/order-keys';
import { ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { NO_EFFECT } from '../../operations/write-effect.ts';
import { maskCode } from '../../stock/mask-code.ts';
import { loadOrder, stateOf, stockEffect } from '../changes/order-effect.ts';
import { type LockedOrder, lockOffersOf, lockOrder } from '../changes/order-updates.sql.ts';
import { type AccountOrderView, findOrder } from '../history/read-orders.sql.ts';
import { buildOrder } from '../order-response.ts';
import type { SealedUnit } from './order-keys.sql.ts';
import {
  countTextOnSale,
  findKeyByMac,
  type KeyOfOffer,
  type KeyOfOrder,
  listReplaced,
  listSoldKeys,
  listUnits,
  replaceUnit,
  type SoldKey,
  type UnitOfOrder,
} from './sold-keys.sql.ts';

export type SoldKeysDeps = {
  readonly database: Database;
  readonly openCodes: (units: readonly SealedUnit[]) => Promise<string[]>;
  /** Finds codes without opening any (custody/). */
  readonly codeMacs: (codes: readonly string[]) => Buffer[];
  readonly onCatalogueChanged: () => void;
};

export function buildSoldKeysHandlers(
  deps: SoldKeysDeps,
): Pick<OperationHandlers, 'listOrderKeys' | 'replaceKey' | 'findKey'> {
  const { database, openCodes, codeMacs } = deps;
  return {
    async listOrderKeys({ params }) {
      const order = requireFound(await findOrder(database.kysely, params.orderId, undefined), 'order');
      const keys = await listSoldKeys(database.kysely, order.id);
      const codes = await openCodes(keys);
      const itemId = order.items[0]?.id ?? '';
      const data = keys.map((key, index) => ({ ...showKeyOfOrder(key, codes[index] ?? ''), itemId }));
      return { status: 200, data };
    },

    replaceKey(request) {
      const { body, params } = request;
      if (body.keyId !== undefined && body.code !== undefined) {
        throw invalidField('body.code', 'cannot be combined with keyId; name the key by one of them');
      }
      return async (tx) => {
        const order = requireFound(await lockOrder(tx, params.orderId), 'order');
        await lockOffersOf(tx, [order.id]);
        const units = await listUnits(tx, order.id);
        const unit = await chooseUnit(tx, deps, order, units, body);
        const [line] = order.items;
        const { offerId, id: itemId } = must(line, 'an order made here has one line');
        const before = await loadOrder(tx, order.id);
        const newKeyId = String(await replaceUnit(tx, { orderId: order.id, offerId, unit }));
        const ids = { itemId, replacedKeyId: String(unit.id), newKeyId };
        const details = { accountId: order.accountId, data: { reason: body.reason, ...ids } };
        await insertAudit(tx, { ...auditRecord(request, 'order.replace-key', details), orderId: order.id });
        const after = await loadOrder(tx, order.id);
        const stock = await stockEffect(tx, order, -1);
        await logChanges(tx, { productIds: order.productIds });
        return {
          status: 200,
          data: { ...showOrder(after), replacedKeyId: ids.replacedKeyId, newKeyId },
          effect: {
            preview: {
              ...NO_EFFECT,
              order: { before: buildOrder(before), after: buildOrder(after) },
              units: { ...NO_EFFECT.units, withdrawn: 1, delivered: 1 },
              stock,
            },
            state: [...stateOf(order), units.map(({ id }) => id)],
          },
          onCommitted: deps.onCatalogueChanged,
        };
      };
    },

    async findKey(request) {
      const codeMac = must(codeMacs([request.body.code])[0], 'the hash of a code');
      const found = await runTransaction(database, {}, async (tx) => {
        const key = await findKeyByMac(tx, codeMac);
        const order = key?.orderId == null ? undefined : await loadOrder(tx, key.orderId);
        // Those who guess codes show in the log as well.
        const data =
          key === undefined ? { found: false } : { found: true, keyId: String(key.id), offerId: key.offerId };
        const record = auditRecord(request, 'keys.find', { accountId: order?.accountId ?? null, data });
        await insertAudit(tx, { ...record, orderId: order?.id ?? null });
        return key && { key, order };
      });
      if (found === undefined) {
        throw new ApiError('not-found', {
          message:
            'The service holds no key with this code. Check that it is complete; letter case, blanks and dashes do not matter.',
        });
      }
      return {
        status: 200,
        data: showFound(found.key, found.order, (await openCodes([found.key]))[0] ?? ''),
      };
    },
  };
}

async function chooseUnit(
  tx: Tx,
  { codeMacs }: SoldKeysDeps,
  order: LockedOrder,
  units: readonly UnitOfOrder[],
  { keyId, code }: ReplaceKeyBody,
): Promise<UnitOfOrder> {
  const [codeMac] = code === undefined ? [] : codeMacs([code]);
  const isWanted = (one: Pick<UnitOfOrder, 'id' | 'codeMac'>) =>
    codeMac === undefined ? String(one.id) === keyId : one.codeMac.equals(codeMac);
  const isNamed = keyId !== undefined || code !== undefined;
  const unit = isNamed ? units.find(isWanted) : units[0];
  const wasReplaced = isNamed && (await listReplaced(tx, order.id)).some(isWanted);
  const rejection = rejectReplacement(
    { status: order.status, isImported: order.paymentMethod === null, units },
    { isNamed, unit, wasReplaced },
    await countTextOnSale(tx, order.id),
  );
  if (rejection !== undefined) throw describeRejection(rejection, code === undefined ? 'keyId' : 'code');
  return must(unit, 'a unit that may be replaced');
}

function describeRejection(rejection: ReplacementRejection, field: 'keyId' | 'code'): ApiError {
  switch (rejection.code) {
    case 'order-was-imported':
      return conflict('The order was imported from elsewhere; its keys are not here.');
    case 'order-is-not-delivered':
      return conflict(`The order is ${rejection.status}; only keys of a complete order are replaced.`, {
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
      return conflict('The key was replaced already; the keys of the order show by which one.');
    case 'key-was-refunded':
      return conflict('The key was refunded; there is nothing to replace.');
    case 'nothing-in-stock':
      return conflict('The offer has no other key on sale. Add keys to it, or refund the unit.', {
        availableQuantity: 0,
      });
  }
}

function showKey(key: SoldKey, code: string) {
  const time = (micros: number | null) => (micros === null ? null : formatDateTime(micros));
  return {
    id: String(key.id),
    state: key.state,
    maskedCode: maskCode(code),
    readAt: time(key.readAtMicros),
    refundedAt: time(key.refundedAtMicros),
    replacedAt: time(key.replacedAtMicros),
    replacedBy: key.replacedBy,
  };
}

function showKeyOfOrder(key: KeyOfOrder, code: string): Omit<OrderKeyState, 'itemId'> {
  const { left, leftAtMicros } = key;
  if (left === null)
    return { ...showKey(key, code), refundedAs: key.refundedAtMicros === null ? null : 'kept' };
  // A key that went back on sale was never read before; what became of it since belongs to another order.
  const ofThisOrder =
    left === 'returned' ? { readAtMicros: null, replacedAtMicros: null, replacedBy: null } : {};
  return { ...showKey({ ...key, ...ofThisOrder, refundedAtMicros: leftAtMicros }, code), refundedAs: left };
}

function showOrder(order: AccountOrderView): AdminOrder {
  return { ...buildOrder(order), accountId: order.accountId };
}

function showFound(key: KeyOfOffer, view: AccountOrderView | undefined, code: string) {
  const order = view === undefined ? null : showOrder(view);
  const { offerId: id, productId, sellerId, priceMinor, offerStatus: status, quantity } = key;
  return {
    key: { ...showKey(key, code), kind: key.kind },
    order,
    item: order?.transactions?.[0]?.items[0] ?? null,
    product: { id: productId, name: key.productName },
    offer: { id, productId, sellerId, price: formatMinor(priceMinor), status, quantity },
    seller: { id: sellerId, name: key.sellerName },
  };
}
