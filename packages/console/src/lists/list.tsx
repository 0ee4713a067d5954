import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Answer, appClient, type Element, type Input, type ListName, useRead } from '../api/queries.ts';
import type { Search } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { common } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { countFilters, type Meta, type Pager, usePager, useUrl } from '../url.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { areBackwards, dayEnd, dayStart } from './days.ts';
import { filtersOf, ListFilters, tabsOf, toNames, toParameters } from './list-filters.tsx';
import type { ListOf } from './list-of.ts';
import { ListCount, ListTabs } from './list-tabs.tsx';
import { ListTools, useHidden } from './list-tools.tsx';
import { type Chosen, Selected } from './selected.tsx';
import { texts } from './texts.ts';

type PageOf<Name extends ListName> = Answer<Name> & {
  readonly data: readonly Element<Name>[];
  readonly meta: Meta;
};

export function useList<Name extends ListName>(
  name: Name,
  options: {
    readonly params?: Readonly<Record<string, string>>;
    /** Names in the URL beside the list's own filters. They are sent unchanged unless `query` has them. */
    readonly filters?: readonly string[];
    /** The list has the filters that the contract declares. */
    readonly isFiltered?: boolean;
    readonly query?: Search;
    readonly limit?: number;
    /** For lists that have page numbers instead of a cursor. */
    readonly isNumbered?: boolean;
    /** Only the first page is refreshed. */
    readonly everyMs?: number;
    readonly sortedBy?: string | undefined;
    readonly version?: unknown;
  } = {},
) {
  const { params = {}, limit = 50, isNumbered = false, isFiltered = false, everyMs, version } = options;
  const declared = isFiltered ? filtersOf(name) : {};
  const filters = [...toNames(declared), ...(options.filters ?? [])];
  const zone = useZone();
  const { search } = useUrl();
  const { cursor, page } = search;
  const sort = search['sort'] ?? options.sortedBy;
  const toQuery = (of: Search): Search => ({
    ...Object.fromEntries((options.filters ?? []).map((filter) => [filter, of[filter]])),
    ...toParameters(declared, of, zone),
    ...options.query,
  });
  const query = { ...(sort === undefined ? {} : { sort }), ...toQuery(search) };
  const place = isNumbered
    ? { page: page === undefined ? undefined : Number(page), itemsPerPage: limit }
    : { cursor, limit };
  // The filters have the operation's parameter names.
  const input = { params, query: { ...query, ...place } } as unknown as Input<Name>;
  const isBackwards = filters.includes('from') && areBackwards(search);
  const read = useRead(name, input, {
    version,
    enabled: !isBackwards,
    everyMs: cursor === undefined && page === undefined ? everyMs : undefined,
  }) as UseQueryResult<PageOf<Name>>;
  // Otherwise the rows of the range before would stay.
  const result = isBackwards ? ({ ...read, data: undefined } as typeof read) : read;
  const all = () => {
    const largest = isNumbered ? { itemsPerPage: 100 } : { limit: 1000 };
    return appClient().all(name, { params, query: { ...query, ...largest } } as unknown as Input<Name>);
  };
  return {
    name,
    result,
    rows: result.data?.data,
    pager: usePager(result.data?.meta),
    filters,
    isFiltered,
    isBackwards,
    query,
    toQuery,
    all,
  };
}

/** The days in the URL as times, under the list's parameter names. */
export function useDays(from: string, to: string, zone?: string): Record<string, string | undefined> {
  const { search } = useUrl();
  const ownZone = useZone();
  const shown = zone ?? (search['days'] === 'utc' ? 'UTC' : ownZone);
  return {
    from: undefined,
    to: undefined,
    days: undefined,
    [from]: dayStart(search['from'], shown),
    [to]: dayEnd(search['to'], shown),
  };
}

type ListProps<Row> = Omit<DataTableProps<Row>, 'query' | 'rows' | 'rowKey' | 'empty'> &
  Partial<Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'empty'>> & {
    readonly list: ListOf<Row>;
    /** Tools before the others. */
    readonly tools?: ReactNode;
    readonly icon: IconName;
    /** Shown if the list is empty without a filter. */
    readonly none: string;
    /** Actions on the selected rows or on all matches. */
    readonly bulk?: (chosen: Chosen<Row>) => ReactNode;
    readonly selectionNote?: string | undefined;
    /** False if a title has the number of matches. */
    readonly isCounted?: boolean;
  };

/** A page that is a list. Its title shows how many elements match. */
export function ListPage<Row extends object>(
  props: Omit<ListProps<Row>, 'label' | 'isCounted'> &
    Pick<Parameters<typeof Page>[0], 'title' | 'back' | 'actions'> & {
      /** This comes before the list. */
      readonly intro?: ReactNode;
      /** This comes after the list, such as a drawer. */
      readonly children?: ReactNode;
    },
) {
  const { title, back, actions, intro, children, ...list } = props;
  return (
    <Page
      title={title}
      heading={
        <>
          {title} <ListCount list={props.list} />
        </>
      }
      {...(back === undefined ? {} : { back })}
      actions={actions}
    >
      {intro}
      <List {...list} label={title} isCounted={false} />
      {children}
    </Page>
  );
}

export function List<Row extends object>({
  list,
  tools,
  icon,
  none,
  selectionNote,
  isCounted = true,
  bulk,
  ...table
}: ListProps<Row>) {
  const { name, result, pager, query, all } = list;
  const { selection, rowKey = toId } = table;
  const { search, setFilters } = useUrl();
  const hidden = useHidden(name, table.columns);
  const columns = table.columns.filter(({ title }) => !hidden.includes(title));
  const sorting = { current: query['sort'], set: (sort: string) => void setFilters({ sort }) };
  return (
    <>
      {list.isFiltered ? <ListTabs list={list} /> : null}
      <div className="list-head">
        {list.isFiltered ? <ListFilters list={name} /> : null}
        <Group className="list-tools" ml="auto">
          {/* Tabs have the counts of all filters that they set. */}
          {isCounted && (tabsOf(name).length === 0 || countFilters(search, list.filters) > 0) ? (
            <ListCount list={list} />
          ) : null}
          {tools}
          <ListTools list={list} columns={table.columns} hidden={hidden} />
        </Group>
      </div>
      {list.isBackwards ? (
        <Empty icon={icon}>{texts.table.backwards}</Empty>
      ) : (
        <DataTable
          query={result}
          rows={result.data?.data}
          pager={pager}
          empty={<EmptyList icon={icon} none={none} filters={list.filters} pager={pager} />}
          {...table}
          rowKey={rowKey}
          columns={columns}
          sorting={sorting}
        />
      )}
      {bulk !== undefined && selection !== undefined && selection.selected.length > 0 ? (
        <Selected
          key={JSON.stringify(query)}
          selection={selection}
          all={all}
          rowKey={rowKey}
          note={selectionNote}
          actions={bulk}
        />
      ) : null}
    </>
  );
}

function toId(row: object): string {
  return 'id' in row ? String(row.id) : '';
}

/** A page may be empty although older rows match. */
function EmptyList(props: {
  readonly icon: IconName;
  readonly none: string;
  readonly filters: readonly string[];
  readonly pager: Pager;
}) {
  const { icon, none, filters, pager } = props;
  const { search, setFilters } = useUrl();
  const count = countFilters(search, filters);
  const clear = () => setFilters(Object.fromEntries(filters.map((name) => [name, undefined])));
  return (
    <Empty
      icon={icon}
      action={count === 0 ? null : <Button onClick={clear}>{texts.table.clearFilters}</Button>}
    >
      {pager.older !== undefined ? common.goOn : count === 0 ? none : common.noMatch(count)}
    </Empty>
  );
}
