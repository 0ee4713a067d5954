/** The tabs of a list: the contract's and the saved views, each with the number of its elements. */

import { Text } from '@mantine/core';
import { use } from 'react';
import { useRead } from '../api/queries.ts';
import { App } from '../app.ts';
import { parseSearch, type Search, usePlace } from '../places.tsx';
import { formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Isolated, Link } from '../ui/values.tsx';
import { type ListTab, openTab, tabsOf } from './list-filters.tsx';
import { type ListOf, useMatches } from './list-of.ts';
import { texts } from './texts.ts';

/** The parameters of a list besides its filters. */
const OF_LISTS = ['cursor', 'page', 'peek', 'sel', 'sort', 'hide'];

export function ListTabs<Row>({ list }: { readonly list: ListOf<Row> }) {
  const { path, search } = usePlace();
  const { Views } = use(App);
  const { data: views = [] } = useRead(
    'listViews',
    { query: { list: list.name } },
    { enabled: Views !== undefined },
  );
  const own: ListTab[] = views.map(({ name, own, ownerName, search: saved }) => ({
    label: own ? name : texts.views.of(name, ownerName),
    search: parseSearch(saved),
  }));
  const tabs = [...tabsOf(list.name), ...own];
  if (tabs.length === 0) return null;
  const elsewhere = Object.entries(search).filter(([name]) => ![...list.filters, ...OF_LISTS].includes(name));
  const open = openTab(tabs, search);
  return (
    <nav className="views" aria-label={texts.table.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={path}
          search={{ ...Object.fromEntries(elsewhere), ...tab.search }}
          isCurrent={tab === open}
        >
          <Isolated>{tab.label}</Isolated> <TabCount list={list} search={tab.search} />
        </Link>
      ))}
    </nav>
  );
}

function TabCount<Row>({ list, search }: { readonly list: ListOf<Row>; readonly search: Search }) {
  const matches = useMatches(list, search);
  if (matches === undefined || (matches.count === 0 && matches.isAtLeast)) return null;
  return <Hint span>{texts.table.count(matches.count, matches.isAtLeast)}</Hint>;
}

const SUMS_MAX = 3;

/** The currency of the books. */
const isMain = ({ currency }: { readonly currency: string }) => currency === 'EUR';

/** How many elements match the filters, and the sums of their amounts. */
export function ListCount<Row>({ list }: { readonly list: ListOf<Row> }) {
  const { search } = usePlace();
  const matches = useMatches(list, search);
  if (matches === undefined) return null;
  const inOrder = matches.sums.toSorted((one, other) => Number(isMain(other)) - Number(isMain(one)));
  const sums = inOrder.map(({ amount, currency }) => formatMoney(amount, currency));
  const shown = sums.length > SUMS_MAX ? [`${sums[0]} ${texts.table.moreSums(sums.length - 1)}`] : sums;
  return (
    <Text span c="dimmed" fz={14} fw={400} title={sums.join(' · ')}>
      {[texts.table.count(matches.count, matches.isAtLeast), ...shown].join(' · ')}
    </Text>
  );
}
