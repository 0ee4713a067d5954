/** All orders: search, filters in the URL, a look at the side. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, DaysFilter, dayStart, FilterBar, SearchFilter } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { Peek } from '../ui/peek.tsx';
import { Empty } from '../ui/states.tsx';
import { Money, OrderId, OrderStatusBadge, Time } from '../ui/values.tsx';
import { countFilters, usePager, useSelection, useUrl } from '../url.ts';
import { OrderSummary } from './order-summary.tsx';

type Order = OperatorElement<'listAllOrders'>;

const FILTERS = ['query', 'status', 'from', 'to'];
const LIVE_MS = 10_000;

const COLUMNS: readonly Column<Order>[] = [
  { title: texts.orders.order, render: ({ id }) => <OrderId id={id} /> },
  { title: texts.orders.status, render: ({ status }) => <OrderStatusBadge status={status} /> },
  { title: texts.orders.account, render: ({ accountName }) => accountName },
  { title: texts.orders.product, render: (order) => productOf(order), isMinor: true },
  { title: texts.orders.units, render: (order) => unitsOf(order), isRight: true, isMinor: true },
  {
    title: texts.orders.total,
    render: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
    isRight: true,
  },
  { title: texts.orders.created, render: ({ createdAt }) => <Time at={createdAt} />, isRight: true },
];

export function OrdersList() {
  const { search, look } = useUrl();
  const zone = useZone();
  const { status, from, to, query: words, page } = search;
  const query = {
    status: status as Order['status'],
    orderId: words,
    dateFrom: dayStart(from, zone),
    dateTo: dayStart(to, zone, 1),
    page: page === undefined ? undefined : Number(page),
    itemsPerPage: 50,
  };
  const result = useLive(
    ['orders', query],
    (client, signal) => client.listAllOrders({ query: query as never }, { signal }),
    {
      everyMs: page === undefined ? LIVE_MS : undefined,
    },
  );
  const pager = usePager(result.data?.meta);
  const selection = useSelection();
  const filters = countFilters(search, FILTERS);
  return (
    <Page title={texts.orders.title}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.orders.searchLabel} placeholder={texts.orders.search} />
        <ChoiceFilter name="status" label={texts.orders.status} choices={texts.statuses} />
        <DaysFilter />
      </FilterBar>
      <DataTable
        label={texts.orders.title}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.order(id)}
        pager={pager}
        selection={selection}
        onPeek={({ id }) => look({ peek: id })}
        empty={
          <Empty icon="orders">{filters === 0 ? texts.orders.empty : texts.table.noMatch(filters)}</Empty>
        }
      />
      <Peek title={(id) => <OrderId id={id} />} path={paths.order}>
        {(id) => <OrderSummary orderId={id} />}
      </Peek>
    </Page>
  );
}

function itemsOf({ transactions = [] }: Pick<Order, 'transactions'>) {
  return transactions.flatMap(({ items }) => items);
}

function productOf(order: Order): string {
  return itemsOf(order)
    .map(({ product }) => product.name)
    .join(', ');
}

function unitsOf(order: Order): number {
  return itemsOf(order).reduce((sum, { quantity }) => sum + quantity.ordered, 0);
}
