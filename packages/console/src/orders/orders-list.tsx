/** All orders: search, filters in the URL, a look at the side, several at once. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { FindKeyButton } from '../keys/find-key-button.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, DaysFilter, FilterBar, SearchFilter, TextFilter } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { Peek } from '../lists/peek.tsx';
import { useSteadyRows } from '../lists/steady-rows.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { Page } from '../ui/page.tsx';
import { Money, OrderId, Time } from '../ui/values.tsx';
import { useGo, useSelection, useUrl } from '../url.ts';
import { BulkDialog, type BulkName } from './bulk-dialog.tsx';
import { itemsOf } from './order-data.ts';
import { OrderState } from './order-state.tsx';
import { OrderSummary } from './order-summary.tsx';

type Order = OperatorElement<'listAllOrders'>;

/** Set by links of other screens. */
const LINKED = ['accountId', 'productId', 'offerId', 'sellerId', 'traceId'] as const;
const FILTERS = ['query', 'status', 'from', 'to', ...LINKED];

const COLUMNS: readonly Column<Order>[] = [
  { title: texts.common.order, render: ({ id }) => <OrderId id={id} /> },
  { title: texts.common.status, render: (order) => <OrderState order={order} /> },
  { title: texts.common.account, render: ({ accountName }) => accountName },
  { title: texts.common.product, render: productsOf, look: 'minor' },
  { title: texts.common.units, render: unitsOf, look: 'right minor' },
  {
    title: texts.common.total,
    render: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
    look: 'right',
  },
  { title: texts.common.created, render: ({ createdAt }) => <Time at={createdAt} />, look: 'right' },
];

export function OrdersList() {
  const { search, look } = useUrl();
  const go = useGo();
  const list = useList('listAllOrders', {
    filters: FILTERS,
    query: useDays('dateFrom', 'dateTo'),
    everyMs: 10_000,
  });
  const { rows, newCount, show } = useSteadyRows(
    list.rows,
    ({ id }) => id,
    JSON.stringify([list.query, search['cursor']]),
    list.result.isPlaceholderData,
  );
  const selection = useSelection();
  const may = useMay('orders');
  return (
    <Page
      title={texts.navigation.orders}
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => go(paths.rejections)}>
            {texts.common.rejectedOrders}
          </Button>
          <FindKeyButton />
        </>
      }
    >
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.orders.searchLabel} placeholder={texts.orders.search} />
        <ChoiceFilter name="status" label={texts.common.status} choices={texts.statuses} />
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
      <List
        {...{ list, rows }}
        label={texts.navigation.orders}
        columns={COLUMNS}
        rowPath={({ id }) => paths.order(id)}
        {...(may ? { selection } : {})}
        onPeek={({ id }) => look({ peek: id })}
        icon="orders"
        none={texts.orders.empty}
      />
      {may && selection.selected.length > 0 ? <Bulk {...selection} /> : null}
      <Peek title={(id) => <OrderId id={id} />} path={paths.order}>
        {(id) => <OrderSummary orderId={id} />}
      </Peek>
    </Page>
  );
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
