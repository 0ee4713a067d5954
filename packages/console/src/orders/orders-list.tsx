/** All orders: search, filters in the URL, a look at the side, several at once. */

import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { FindKeyButton } from '../keys/find-key-button.tsx';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import {
  ChoiceFilter,
  DaysFilter,
  dayEnd,
  dayStart,
  FilterBar,
  SearchFilter,
  TextFilter,
} from '../ui/filters.tsx';
import { useKeys } from '../ui/keys.ts';
import { Page } from '../ui/page.tsx';
import { Peek } from '../ui/peek.tsx';
import { EmptyList } from '../ui/states.tsx';
import { useSteadyRows } from '../ui/steady-rows.ts';
import { Money, OrderId, Time } from '../ui/values.tsx';
import { usePager, useSelection, useUrl } from '../url.ts';
import { BulkDialog, type BulkName } from './bulk-dialog.tsx';
import { itemsOf } from './order-data.ts';
import { OrderState } from './order-state.tsx';
import { OrderSummary } from './order-summary.tsx';
import { RejectionsButton } from './rejections-button.tsx';

type Order = OperatorElement<'listAllOrders'>;

/** Those with names of their own come from links of other screens. */
const FILTERS = ['query', 'status', 'from', 'to', 'accountId', 'productId', 'offerId', 'sellerId', 'traceId'];
const LINKED = ['accountId', 'productId', 'offerId', 'sellerId', 'traceId'] as const;
const LIVE_MS = 10_000;
const LIMIT = 50;

const COLUMNS: readonly Column<Order>[] = [
  { title: texts.orders.order, render: ({ id }) => <OrderId id={id} /> },
  { title: texts.orders.status, render: (order) => <OrderState order={order} /> },
  { title: texts.orders.account, render: ({ accountName }) => accountName },
  { title: texts.orders.product, render: productsOf, isMinor: true },
  { title: texts.orders.units, render: unitsOf, isRight: true, isMinor: true },
  {
    title: texts.orders.total,
    render: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
    isRight: true,
  },
  { title: texts.orders.created, render: ({ createdAt }) => <Time at={createdAt} />, isRight: true },
];

export function OrdersList() {
  const { search, look } = useUrl();
  const { query, result } = useOrders();
  const { rows, newCount, show } = useSteadyRows(
    result.data?.data,
    ({ id }) => id,
    JSON.stringify(query),
    result.isPlaceholderData,
  );
  const pager = usePager(result.data?.meta);
  const selection = useSelection();
  const may = useMay('orders');
  return (
    <Page
      title={texts.orders.title}
      actions={
        <>
          <RejectionsButton />
          <FindKeyButton />
        </>
      }
    >
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.orders.searchLabel} placeholder={texts.orders.search} />
        <ChoiceFilter name="status" label={texts.orders.status} choices={texts.statuses} />
        <DaysFilter />
        {LINKED.map((name) => (
          <TextFilter key={name} name={name} label={texts.orders.linked[name]} />
        ))}
      </FilterBar>
      <div aria-live="polite">
        {newCount > 0 && search['cursor'] === undefined ? (
          <Button variant="subtle" size="xs" onClick={show}>
            {texts.table.newRows(newCount)}
          </Button>
        ) : null}
      </div>
      <DataTable
        label={texts.orders.title}
        columns={COLUMNS}
        query={result}
        rows={rows}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.order(id)}
        pager={pager}
        {...(may ? { selection } : {})}
        onPeek={({ id }) => look({ peek: id })}
        empty={<EmptyList icon="orders" filters={FILTERS} pager={pager} none={texts.orders.empty} />}
      />
      {may && selection.selected.length > 0 ? <Bulk {...selection} /> : null}
      <Peek title={(id) => <OrderId id={id} />} path={paths.order}>
        {(id) => <OrderSummary orderId={id} />}
      </Peek>
    </Page>
  );
}

function useOrders() {
  const { search } = useUrl();
  const zone = useZone();
  const { from, to, cursor, query: words, status } = search;
  const linked = Object.fromEntries(LINKED.map((name) => [name, search[name]]));
  const query = {
    ...linked,
    query: words,
    status: status as Order['status'] | undefined,
    dateFrom: dayStart(from, zone),
    dateTo: dayEnd(to, zone),
    cursor,
    limit: LIMIT,
  };
  const result = useLive(['orders', query], (client, signal) => client.listAllOrders({ query }, { signal }), {
    everyMs: cursor === undefined ? LIVE_MS : undefined,
  });
  return { query, result };
}

function Bulk({ selected, setSelected }: ReturnType<typeof useSelection>) {
  const [open, setOpen] = useState<BulkName>();
  useKeys({
    Escape: () => setSelected([]),
    h: () => setOpen('hold'),
    r: () => setOpen('release'),
    f: () => setOpen('refund'),
  });
  return (
    <div className="bulk">
      <span className="grow" aria-live="polite">
        {texts.table.selected(selected.length)}
      </span>
      {(['release', 'hold', 'refund'] as const).map((name) => (
        <Button key={name} size="xs" variant="default" onClick={() => setOpen(name)}>
          {texts.orderActions[name].name}…
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={() => setSelected([])}>
        {texts.table.clearSelection}
      </Button>
      {open === undefined ? null : (
        <BulkDialog name={open} ids={selected} onFailed={setSelected} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

function productsOf(order: Order): string {
  return itemsOf(order)
    .map(({ product }) => product.name)
    .join(', ');
}

function unitsOf(order: Order): number {
  return itemsOf(order).reduce((sum, { quantity }) => sum + quantity.ordered, 0);
}
