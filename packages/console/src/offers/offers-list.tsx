/** All offers: of a seller, of low stock, paused ones; several can be changed at once. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { CataloguePage, OFFER_COLUMNS } from '../catalogue/catalogue-page.tsx';
import { findSellers } from '../catalogue/choices.ts';
import type { Column } from '../lists/data-table.tsx';
import {
  ChoiceFilter,
  FilterBar,
  MoreFilters,
  SearchFilter,
  TextFilter,
  ThingFilter,
} from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { Link } from '../ui/link.tsx';
import { countFilters, useSelection, useUrl } from '../url.ts';
import { BulkChange } from './bulk-change.tsx';
import { NewOfferDialog } from './offer-dialog.tsx';
import type { ListedOffer } from './offers-data.ts';
import { OffersTools } from './offers-tools.tsx';

const FILTERS = ['query', 'status', 'quantityMax', 'runningOut', 'sellerId'];

const COLUMNS: readonly Column<ListedOffer>[] = [
  { title: texts.common.product, render: ({ productName }) => productName, look: 'wide' },
  OFFER_COLUMNS.status,
  {
    title: texts.common.seller,
    render: ({ sellerId, sellerName }) => (
      <Link to={paths.offers} search={{ sellerId }}>
        {sellerName}
      </Link>
    ),
    look: 'minor',
  },
  OFFER_COLUMNS.units,
  OFFER_COLUMNS.price,
];

export function OffersList() {
  const { search } = useUrl();
  const list = useList('listOffers', { filters: FILTERS });
  const [isCreating, setCreating] = useState(false);
  const selection = useSelection();
  const mayChange = useMay('catalogue');
  return (
    <CataloguePage create={{ label: texts.catalogueForms.newOffer, open: () => setCreating(true) }}>
      <FilterBar names={FILTERS}>
        <SearchFilter
          name="query"
          label={texts.catalogue.searchOffers}
          placeholder={texts.catalogue.offerWords}
        />
        <ChoiceFilter name="status" label={texts.common.status} choices={texts.catalogue.statuses} />
        <ChoiceFilter name="quantityMax" label={texts.catalogue.stock} choices={texts.catalogue.stocks} />
        <ChoiceFilter name="runningOut" label={texts.catalogue.sales} choices={texts.catalogue.saleChoices} />
        <MoreFilters names={['sellerId']}>
          <ThingFilter name="sellerId" label={texts.common.seller} find={findSellers} />
        </MoreFilters>
        <TextFilter name="sellerId" label={texts.common.seller} find={findSellers} />
      </FilterBar>
      <OffersTools
        filter={list.query}
        isFiltered={countFilters(search, FILTERS) > 0 && list.rows?.length !== 0}
      />
      <List
        list={list}
        label={texts.catalogue.tabs.offers}
        columns={COLUMNS}
        rowPath={({ id }) => paths.offer(id)}
        {...(mayChange ? { selection } : {})}
        icon="catalogue"
        none={texts.catalogue.noOffers}
      />
      {mayChange ? <Selected {...selection} /> : null}
      {isCreating ? <NewOfferDialog onClose={() => setCreating(false)} /> : null}
    </CataloguePage>
  );
}

function Selected({ selected, setSelected }: ReturnType<typeof useSelection>) {
  const [isOpen, setOpen] = useState(false);
  const isAny = selected.length > 0;
  useKeys({
    Escape: isAny ? () => setSelected([]) : undefined,
    c: isAny ? () => setOpen(true) : undefined,
  });
  if (!isAny) return null;
  return (
    <section className="bulk" aria-label={texts.table.selected(selected.length)}>
      <span>{texts.table.selected(selected.length)}</span>
      <Button size="xs" onClick={() => setOpen(true)}>
        {texts.common.change}…
      </Button>
      <Button size="xs" variant="subtle" onClick={() => setSelected([])}>
        {texts.table.clearSelection}
      </Button>
      {isOpen ? (
        <BulkChange
          offers={{ ids: selected }}
          onClose={() => setOpen(false)}
          onChanged={() => setSelected([])}
        />
      ) : null}
    </section>
  );
}
