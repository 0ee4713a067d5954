/** All sellers; each leads to its page. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { SellerClaims } from '../claims/claim-parts.tsx';
import type { Column } from '../lists/data-table.tsx';
import { FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { ShortId } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { CataloguePage } from './catalogue-page.tsx';
import { SellerDialog } from './seller-dialog.tsx';

type Seller = OperatorElement<'listSellers'>;

const FILTERS = ['query'];

const COLUMNS: readonly Column<Seller>[] = [
  {
    title: texts.common.seller,
    sort: ['name', '-name'],
    render: ({ id, name }) => (
      <Link to={paths.seller(id)} rowKey={id}>
        {name}
      </Link>
    ),
  },
  {
    title: texts.navigation.orders,
    render: ({ id }) => (
      <Link to={paths.orders} search={{ query: id }}>
        {texts.catalogue.showOrders}
      </Link>
    ),
    look: 'right',
  },
  {
    title: texts.claims.rateTitle,
    render: ({ id }) => (
      <Link to={paths.claims} search={{ sellerId: id, status: 'all' }}>
        <SellerClaims sellerId={id} />
      </Link>
    ),
    look: 'right',
  },
  {
    title: texts.catalogue.sellerId,
    render: ({ id }) => <ShortId id={id} what={texts.catalogue.sellerId} />,
    look: 'right minor',
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
  const list = useList('listSellers', {
    filters: FILTERS,
    sortedBy: search['query'] === undefined ? 'name' : undefined,
  });
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
      <List
        list={list}
        label={texts.catalogue.tabs.sellers}
        columns={mayChange ? [...COLUMNS, actionsOf(setRenamed)] : COLUMNS}
        icon="catalogue"
        none={texts.catalogue.noSellers}
      />
      {renamed === undefined ? null : <SellerDialog seller={renamed} onClose={() => setRenamed(undefined)} />}
      {isCreating ? <SellerDialog onClose={() => setCreating(false)} /> : null}
    </CataloguePage>
  );
}
