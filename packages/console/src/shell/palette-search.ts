/** Finds things by the words or the id in the palette. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { admin } from '../api/admin.ts';
import { ORDER_OR_PRODUCT_ID, TRACE_ID, UUID } from '../api/ids.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import type { Search } from '../url.ts';
import { idOf, ORDER_ID_START, PAYMENT, SHORT_ID } from './palette-kind.ts';

export type Match = {
  readonly label: string;
  readonly icon: IconName;
  readonly path: string;
  readonly search?: Search;
};

/** Per kind. */
const LIMIT = 5;
const REFERENCE_LENGTH_MAX = 64;

export async function findMatches(text: string): Promise<Match[]> {
  const [named, referred] = await Promise.all([findNamed(text), findReferred(text)]);
  return [...named, ...referred.filter(({ path }) => !named.some((match) => match.path === path))];
}

/** Orders with this reference of the reseller. */
export async function findReferred(reference: string): Promise<Match[]> {
  return reference.length > REFERENCE_LENGTH_MAX ? [] : findOrders({ reference });
}

async function findNamed(text: string): Promise<Match[]> {
  const id = idOf(text);
  if (UUID.test(id)) return findThing(id);
  if (SHORT_ID.test(text)) {
    const things = await findThing(id);
    return things.length > 0 ? things : findOrders({ query: id });
  }
  if (TRACE_ID.test(id)) return findTraced(id);
  if (ORDER_OR_PRODUCT_ID.test(id))
    return [...(await findOrders({ orderId: id })), ...(await findProducts(id))];
  const [, paidOrder] = PAYMENT.exec(id) ?? [];
  if (paidOrder !== undefined) return findOrders({ orderId: paidOrder });
  const matches = await Promise.all([
    ...(ORDER_ID_START.test(id) ? [findOrders({ query: id })] : []),
    findAccounts(text),
    findProducts(text),
    findSellers(text),
  ]);
  return matches.flat();
}

async function findThing(id: string): Promise<Match[]> {
  const [accounts, offers, sellers] = await Promise.all([
    findAccounts(id),
    admin.listOffers({ query: { query: id, limit: LIMIT } }),
    findSellers(id),
  ]);
  // A product's or a seller's id finds its offers too.
  const offer = offers.data.filter((one) => one.id.startsWith(id));
  return [
    ...accounts,
    ...offer.map((one) => offerMatch(one.id, one.productName, one.sellerName)),
    ...sellers,
  ];
}

async function findTraced(traceId: string): Promise<Match[]> {
  const [orders, audit] = await Promise.all([
    admin.listAllOrders({ query: { traceId, limit: LIMIT } }),
    admin.listAudit({ query: { traceId, limit: 1 } as never }),
  ]);
  return [
    ...orders.data.map(orderMatch),
    ...audit.data.map(
      (): Match => ({
        label: texts.palette.audit,
        icon: 'audit',
        path: paths.audit,
        search: { query: traceId },
      }),
    ),
  ];
}

async function findOrders(
  by: { readonly orderId: string } | { readonly query: string } | { readonly reference: string },
): Promise<Match[]> {
  const { data } = await admin.listAllOrders({ query: { ...by, limit: LIMIT } });
  return data.map(orderMatch);
}

async function findSellers(query: string): Promise<Match[]> {
  const { data } = await admin.listSellers({ query: { query, limit: LIMIT } });
  return data.map(({ id, name }) => ({
    label: texts.palette.seller(name),
    icon: 'catalogue',
    path: paths.sellers,
    search: { query: id },
  }));
}

async function findAccounts(query: string): Promise<Match[]> {
  const { data } = await admin.listAccounts({ query: { query, limit: LIMIT } });
  return data.map(({ id, name }) => ({
    label: texts.palette.account(name),
    icon: 'accounts',
    path: paths.account(id),
  }));
}

async function findProducts(query: string): Promise<Match[]> {
  const { data } = await admin.listCatalogueProducts({ query: { query, limit: LIMIT } });
  return data.map(({ id, name }) => ({
    label: texts.palette.product(name),
    icon: 'catalogue',
    path: paths.product(id),
  }));
}

/** The order that has the key, and the offer that it came from. */
export async function findCode(code: string): Promise<Match[]> {
  const { order, offer, product, seller }: OperatorAnswer<'findKey'> = await admin.findKey({
    body: { code },
  });
  const from = offerMatch(offer.id, product.name, seller.name);
  if (order === null) return [from];
  return [{ label: texts.palette.order(order.id), icon: 'orders', path: paths.order(order.id) }, from];
}

function orderMatch({ id, accountName }: { readonly id: string; readonly accountName: string }): Match {
  return { label: texts.palette.orderOf(id, accountName), icon: 'orders', path: paths.order(id) };
}

function offerMatch(id: string, product: string, seller: string): Match {
  return { label: texts.palette.offer(product, seller), icon: 'catalogue', path: paths.offer(id) };
}
