import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Button } from '@mantine/core';
import { Suspense, useRef, useState } from 'react';
import { fourAtOnce, useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Closing } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { Peek } from '../lists/peek.tsx';
import type { Chosen } from '../lists/selected.tsx';
import { useSteadyRows } from '../lists/steady-rows.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { runCommand } from '../ui/commands.ts';
import { useKeys } from '../ui/keys.ts';
import { OrderId } from '../ui/values.tsx';
import { paths, useGo, useSelection, useUrl } from '../url.ts';
import type { BulkName } from './bulk-dialog.tsx';
import { computeSums, computeUnits, isPossible } from './order-data.ts';
import { OrderState } from './order-state.tsx';
import { texts } from './texts.ts';

type Order = OperatorElement<'listAllOrders'>;

const OrderPeek = lazyPart(async () => (await import('./order-summary.tsx')).OrderSummary);
const BulkOrders = lazyPart(async () => (await import('./bulk-dialog.tsx')).BulkOrders);

const COLUMNS = toColumns('listAllOrders', {
  status: (order) => <OrderState order={order} />,
  quantity: computeUnits,
});

export function OrdersList() {
  const { search, look } = useUrl();
  const go = useGo();
  const list = useList('listAllOrders', {
    isFiltered: true,
    sortedBy: 'DESC',
    everyMs: 10_000,
  });
  const { rows, newCount, show } = useSteadyRows(
    list.rows,
    ({ id }) => id,
    JSON.stringify([list.query, search['cursor']]),
    list.result.isPlaceholderData,
  );
  const selection = useSelection();
  const orders = useOrders(selection.selected, list.rows);
  const may = useMay('orders');
  return (
    <ListPage
      title={common.navigation.orders}
      actions={
        <>
          <Button onClick={() => go(paths.rejections)}>{common.rejectedOrders}</Button>
          {may ? <Button onClick={() => runCommand(common.findKey)}>{common.findKey}…</Button> : null}
        </>
      }
      list={list}
      tools={
        <div aria-live="polite">
          {newCount > 0 && search['cursor'] === undefined ? (
            <Button variant="subtle" onClick={show}>
              {texts.orders.newRows(newCount)}
            </Button>
          ) : null}
        </div>
      }
      rows={rows}
      columns={COLUMNS}
      rowPath={({ id }) => paths.order(id)}
      {...(may ? { selection } : {})}
      bulk={(chosen) => <BulkActions chosen={chosen} orders={chosen.rows ?? orders} />}
      selectionNote={orders.length === selection.selected.length ? computeSums(orders) : undefined}
      onPeek={({ id }) => look({ peek: id })}
      icon="orders"
      none={texts.orders.empty}
    >
      <Peek title={(id) => <OrderId id={id} />} path={paths.order}>
        {(id) => <OrderPeek orderId={id} />}
      </Peek>
    </ListPage>
  );
}

const ACTIONS = ['release', 'hold', 'refund'] as const;
const KEYS = { release: 'r', hold: 'h', refund: 'f' };

/** For all matches, only the preview shows which actions are possible. */
function BulkActions({
  chosen: { ids, isAll, keep },
  orders,
}: {
  readonly chosen: Chosen<Order>;
  readonly orders: readonly Order[];
}) {
  const [open, setOpen] = useState<BulkName>();
  const actions = ACTIONS.map((name) => {
    const possible = orders.filter((order) => isPossible(name, order));
    return { name, count: isAll ? ids.length : possible.length, start: () => setOpen(name) };
  }).filter(({ count }) => count > 0);
  useKeys(Object.fromEntries(actions.map(({ name, start }) => [KEYS[name], start])));
  return (
    <>
      {actions.map(({ name, count, start }) => (
        <Button key={name} onClick={start}>
          {texts.bulk.action(texts.orderActions[name].name, count, ids.length)}
        </Button>
      ))}
      <Closing value={() => setOpen(undefined)}>
        <Suspense>
          {open === undefined ? null : <BulkOrders name={open} ids={ids} orders={orders} onFailed={keep} />}
        </Suspense>
      </Closing>
    </>
  );
}

/** The orders with these ids; fewer while orders from other pages are being loaded. */
function useOrders(ids: readonly string[], rows: readonly Order[] = []): readonly Order[] {
  const seen = useRef(new Map<string, Order>());
  for (const row of rows) seen.current.set(row.id, row);
  const unseen = ids.filter((id) => !seen.current.has(id));
  const { data: others = [] } = useLive(
    ['selected-orders', unseen],
    (client, signal) =>
      fourAtOnce(unseen, async (id) => {
        const query = { query: id, limit: 1 };
        return (await client.call('listAllOrders', { query }, { signal })).data;
      }),
    { enabled: unseen.length > 0 },
  );
  return ids.flatMap((id) => seen.current.get(id) ?? others.flat().find((order) => order.id === id) ?? []);
}
