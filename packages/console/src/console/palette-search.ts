/**
 * Shows search matches as rows of the palette. The text may be a product key, so it is sent in a body, never
 * in a URL.
 */
import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { admin } from '../api/admin.ts';
import type { Search } from '../places.tsx';
import { common } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { paths } from '../url.ts';
import { texts } from './palette/texts.ts';

type Group = OperatorAnswer<'search'>[number];
type Found = Group['matches'][number];

/** A match without a path cannot be chosen: the service has not found those of its kind yet. */
export type Match = {
  readonly label: string;
  readonly icon: IconName;
  readonly path?: string;
  readonly search?: Search;
};

export const isLate = ({ path }: Match): boolean => path === undefined;

type Place = readonly [path: string, search?: Search];
type Kind = {
  readonly icon: IconName;
  readonly place: (match: Found) => Place;
  /** The list of all matches; absent if the list has no search. */
  readonly list?: (text: string) => Place;
};

const label = texts.kinds;

const thing = (icon: IconName, toPath: (id: string) => string, list?: Kind['list']): Kind => ({
  icon,
  place: ({ id }) => [toPath(id)],
  ...(list && { list }),
});

const KINDS: Readonly<Record<Group['kind'], Kind>> = {
  order: thing('orders', paths.order, (query) => [paths.orders, { query }]),
  reference: thing('orders', paths.order, (query) => [paths.orders, { query }]),
  claim: thing('claims', paths.claim),
  reservation: {
    icon: 'orders',
    place: ({ detail, accountId }) =>
      detail === null ? [paths.account(accountId ?? ''), { tab: 'reservations' }] : [paths.order(detail)],
  },
  trace: { icon: 'audit', place: ({ id }) => [paths.audit, { query: id }] },
  account: thing('accounts', paths.account, (query) => [paths.accounts, { query }]),
  product: thing('catalogue', paths.product, (query) => [paths.catalogue, { query }]),
  offer: thing('catalogue', paths.offer, (query) => [paths.offers, { query }]),
  seller: thing('catalogue', paths.seller, (query) => [paths.sellers, { query }]),
  person: { icon: 'person', place: () => [paths.operators] },
};

export async function findMatches(query: string, signal: AbortSignal): Promise<Match[]> {
  const groups = await admin.search({ body: { query } }, { signal });
  return groups.flatMap(({ kind, matches, more, late }) => {
    const { icon, place, list } = KINDS[kind];
    const row = (label: string, [path, search]: Place): Match => ({
      label,
      icon,
      path,
      ...(search && { search }),
    });
    if (late) return [{ label: texts.late(texts.lists[kind]), icon }];
    const rows = matches.map((match) =>
      row(label[kind](match.id, match.name, match.detail ?? '') + toState(match), place(match)),
    );
    return more && list !== undefined ? [...rows, row(texts.more(texts.lists[kind]), list(query))] : rows;
  });
}

function toState({ order }: Found): string {
  if (order === undefined) return '';
  const { status, unitsPaid, unitsRefunded } = order;
  const refunded = common.refundedOf(unitsRefunded, unitsPaid);
  return ` · ${[common.statuses[status], ...refunded].join(', ')}`;
}

export async function findCode(code: string): Promise<Match[]> {
  const { order, offer, product, seller } = await admin.findKey({ body: { code } });
  const from: Match = {
    label: label.offer(offer.id, product.name, seller.name),
    icon: 'catalogue',
    path: paths.offer(offer.id),
  };
  if (order === null) return [from];
  return [{ label: texts.order(order.id), icon: 'orders', path: paths.order(order.id) }, from];
}
