/** Matches of the search as rows of the palette. A text may be a product key, so it is sent in a body, never in an address. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { admin } from '../api/queries.ts';
import type { Search } from '../places.tsx';
import { texts } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { paths } from '../url.ts';

type Group = OperatorAnswer<'search'>[number];
type Found = Group['matches'][number];

/** Without a path it cannot be chosen. */
export type Match = {
  readonly label: string;
  readonly icon: IconName;
  readonly path?: string;
  readonly search?: Search;
};

type Place = readonly [path: string, search?: Search];
type Kind = {
  readonly icon: IconName;
  readonly place: (match: Found) => Place;
  /** The list of all that match; absent: it cannot be searched. */
  readonly list?: (text: string) => Place;
};

const label = texts.palette.kinds;

const KINDS: Readonly<Record<Group['kind'], Kind>> = {
  order: { icon: 'orders', place: ({ id }) => [paths.order(id)], list: (query) => [paths.orders, { query }] },
  reference: {
    icon: 'orders',
    place: ({ id }) => [paths.order(id)],
    list: (referencePart) => [paths.orders, { referencePart }],
  },
  claim: { icon: 'claims', place: ({ id }) => [paths.claim(id)] },
  reservation: {
    icon: 'orders',
    place: ({ detail, accountId }) =>
      detail === null ? [paths.account(accountId ?? ''), { tab: 'reservations' }] : [paths.order(detail)],
  },
  trace: { icon: 'audit', place: ({ id }) => [paths.audit, { query: id }] },
  account: {
    icon: 'accounts',
    place: ({ id }) => [paths.account(id)],
    list: (query) => [paths.accounts, { query }],
  },
  product: {
    icon: 'catalogue',
    place: ({ id }) => [paths.product(id)],
    list: (query) => [paths.catalogue, { query }],
  },
  offer: {
    icon: 'catalogue',
    place: ({ id }) => [paths.offer(id)],
    list: (query) => [paths.offers, { query }],
  },
  seller: {
    icon: 'catalogue',
    place: ({ id }) => [paths.seller(id)],
    list: (query) => [paths.sellers, { query }],
  },
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
    if (late) return [{ label: `Not searched, took too long: ${texts.palette.lists[kind]}`, icon }];
    const rows = matches.map((match) =>
      row(label[kind](match.id, match.name, match.detail ?? ''), place(match)),
    );
    return more && list !== undefined
      ? [...rows, row(`All ${texts.palette.lists[kind]} …`, list(query))]
      : rows;
  });
}

export async function findCode(code: string): Promise<Match[]> {
  const { order, offer, product, seller } = await admin.findKey({ body: { code } });
  const from: Match = {
    label: label.offer(offer.id, product.name, seller.name),
    icon: 'catalogue',
    path: paths.offer(offer.id),
  };
  if (order === null) return [from];
  return [{ label: `Order ${order.id}`, icon: 'orders', path: paths.order(order.id) }, from];
}
