import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths } from '../url.ts';
import { ORDER_CELLS } from './order-state.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listOrders', ORDER_CELLS);

export function Orders() {
  const list = useList('listOrders', { isFiltered: true, isNumbered: true, everyMs: 10_000 });
  return (
    <Page title={common.navigation.orders}>
      <List
        list={list}
        isLabelled
        label={common.navigation.orders}
        columns={COLUMNS}
        rowPath={({ id }) => paths.order(id)}
        icon="orders"
        none={texts.orders.empty}
      />
    </Page>
  );
}
