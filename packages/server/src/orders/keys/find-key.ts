/** A445, A447. */
import type { OrderKeyState } from '@keyport/contract/orders/operator-orders';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { isOrderId } from '@keyport/core/ids';
import { formatMinor } from '@keyport/core/money';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../../audit/action.ts';
import { runTransaction } from '../../db/transaction.ts';
import { maskCode } from '../../stock/mask-code.ts';
import { loadOrder, showAdminOrder } from '../changes/order-effect.ts';
import { findReferred } from '../history/order-lists.sql.ts';
import { type AccountOrderView, findOrder, type NamedOrders } from '../history/read-orders.sql.ts';
import type { OrderDeps } from '../order-deps.ts';
import * as sql from './order-keys.sql.ts';

type FindKeyDeps = Pick<OrderDeps, 'database' | 'openCodes' | 'codeMacs'>;

export async function listOrderKeys({ database, openCodes }: FindKeyDeps, orderId: string) {
  const order = requireFound(await findOrder(database.db, orderId, undefined), 'order');
  const keys = await sql.listSoldKeys(database.db, order.id);
  const codes = await openCodes(database.db, keys);
  const itemId = order.items[0]?.id ?? '';
  return keys.map((key, index) => ({ ...showKeyOfOrder(key, codes[index] ?? ''), itemId }));
}

/** Records every search, so that guessed codes show in the audit log. */
export async function findKey(
  { database, openCodes, codeMacs }: FindKeyDeps,
  request: Acting & { readonly body: { readonly code: string } },
) {
  const codeMac = must(codeMacs([request.body.code])[0], 'the hash of a code');
  const found = await runTransaction(database, {}, async (tx) => {
    const key = await sql.findKeyByMac(tx, codeMac);
    const order = key?.orderId == null ? undefined : await loadOrder(tx, key.orderId);
    const data =
      key === undefined ? { found: false } : { found: true, keyId: String(key.id), offerId: key.offerId };
    const details = { accountId: order?.accountId ?? null, orderId: order?.id ?? null, data };
    await audit(tx, request, 'keys.find', details);
    return key && { key, order };
  });
  if (found === undefined) {
    throw new ApiError('not-found', {
      message:
        'The service holds no key with this code. Check that the code is complete; letter case, blanks and dashes do not matter.',
    });
  }
  return showFound(found.key, found.order, (await openCodes(database.db, [found.key]))[0] ?? '');
}

/** A longer text counts only by its last characters, so that no one can guess a key letter by letter. */
const KEY_END = /(?<=^\S*)\S{4}$/u;
const LATEST_MAX = 2_000;

/** The orders that the text names: by id, by words of the reseller's reference, or by the end of a key, as masked keys show it. */
export async function findNamed(
  { database, openCodes }: Omit<FindKeyDeps, 'codeMacs'>,
  accountId: string,
  text: string,
): Promise<NamedOrders> {
  const { db } = database;
  const referred = await runTransaction(database, {}, (tx) => findReferred(tx, accountId, text));
  const named = { ids: [...(isOrderId(text) ? [text] : []), ...(referred ?? [])], orReference: text };
  const end = KEY_END.exec(text)?.[0].toUpperCase();
  if (end === undefined || (end.length < text.length && named.ids.length > 0)) return named;
  const units = await sql.listLatestUnits(db, accountId, LATEST_MAX);
  const codes = await openCodes(db, units);
  const isWanted = (code = '') => maskCode(code).slice(1).toUpperCase() === end;
  const found = units.flatMap(({ orderId }, index) => (isWanted(codes[index]) ? orderId : []));
  return { ...named, ids: [...named.ids, ...new Set(found)] };
}

function showKey(key: sql.SoldKey, code: string) {
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

function showKeyOfOrder(key: sql.KeyOfOrder, code: string): Omit<OrderKeyState, 'itemId'> {
  const { left, leftAtMicros } = key;
  if (left === null)
    return { ...showKey(key, code), refundedAs: key.refundedAtMicros === null ? null : 'kept' };
  // A key that went back on sale was unread; its later history belongs to another order.
  const ofThisOrder =
    left === 'returned' ? { readAtMicros: null, replacedAtMicros: null, replacedBy: null } : {};
  return { ...showKey({ ...key, ...ofThisOrder, refundedAtMicros: leftAtMicros }, code), refundedAs: left };
}

function showFound(key: sql.KeyOfOffer, view: AccountOrderView | undefined, code: string) {
  const order = view === undefined ? null : showAdminOrder(view);
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
