/** All sellers; each leads to its offers. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FilterBar, SearchFilter } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { actionsColumn } from '../ui/row-actions.tsx';
import { EmptyList } from '../ui/states.tsx';
import { ShortId } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { CataloguePage } from './catalogue-page.tsx';
import { SellerDialog } from './seller-dialog.tsx';

type Seller = OperatorElement<'listSellers'>;

const FILTERS = ['query'];

const COLUMNS: readonly Column<Seller>[] = [
  {
    title: texts.catalogue.seller,
    render: ({ id, name }) => (
      <Link to={paths.offers} search={{ sellerId: id }} rowKey={id}>
        {name}
      </Link>
    ),
  },
  {
    title: texts.catalogue.orders,
    render: ({ id }) => (
      <Link to={paths.orders} search={{ query: id }}>
        {texts.catalogue.showOrders}
      </Link>
    ),
    isRight: true,
  },
  {
    title: texts.catalogue.sellerId,
    render: ({ id }) => <ShortId id={id} what={texts.catalogue.sellerId} />,
    isRight: true,
    isMinor: true,
  },
];

function actionsOf(rename: (seller: Seller) => void) {
  return actionsColumn<Seller>((seller) => [
    {
      label: texts.catalogueForms.rename,
      name: texts.catalogueForms.renameOf(seller.name),
      run: () => rename(seller),
    },
  ]);
}

export function SellersList() {
  const { search } = useUrl();
  const { query: words, cursor } = search;
  const query = { query: words, cursor, limit: 50, sort: words === undefined ? 'name' : undefined };
  const result = useLive(['sellers', query], (client, signal) =>
    client.listSellers({ query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  const [isCreating, setCreating] = useState(false);
  const [renamed, setRenamed] = useState<Seller>();
  const mayChange = useMay('catalogue');
  return (
    <CataloguePage create={{ label: texts.catalogueForms.newSeller, open: () => setCreating(true) }}>
      <FilterBar names={FILTERS}>
        <SearchFilter
          name="query"
          label={texts.catalogue.searchSellers}
          placeholder={texts.catalogue.productWords}
        />
      </FilterBar>
      <DataTable
        label={texts.catalogue.tabs.sellers}
        columns={mayChange ? [...COLUMNS, actionsOf(setRenamed)] : COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={pager}
        empty={
          <EmptyList icon="catalogue" filters={FILTERS} pager={pager} none={texts.catalogue.noSellers} />
        }
      />
      {renamed === undefined ? null : <SellerDialog seller={renamed} onClose={() => setRenamed(undefined)} />}
      {isCreating ? <SellerDialog onClose={() => setCreating(false)} /> : null}
    </CataloguePage>
  );
}
