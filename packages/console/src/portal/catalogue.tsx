import type { Element } from '../api/queries.ts';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths } from '../url.ts';
import { Suspended, useSuspended } from './suspended.tsx';
import { texts } from './texts.ts';

const BuyDialog = lazyPart(async () => (await import('./buy-dialog.tsx')).BuyDialog);

const COLUMNS = toColumns('listProductOffers');
const BUYING = [
  ...COLUMNS,
  actionsColumn<Element<'listProductOffers'>>(
    ({ id, name, minPrice }) => [
      {
        label: texts.catalogue.buy,
        name: texts.catalogue.buyOf(name),
        run: () => openDialog(<BuyDialog product={{ id, name }} price={minPrice} />),
      },
    ],
    { isBeside: true },
  ),
];

export function Catalogue() {
  const list = useList('listProductOffers', {
    isFiltered: true,
    isNumbered: true,
    query: { orderable: 'true' },
    everyMs: 15_000,
  });
  return (
    <Page title={common.navigation.catalogue}>
      <Suspended />
      <List
        list={list}
        isLabelled
        label={common.navigation.catalogue}
        columns={useSuspended() ? COLUMNS : BUYING}
        rowPath={({ id }) => paths.product(id)}
        icon="catalogue"
        none={texts.catalogue.empty}
      />
    </Page>
  );
}
