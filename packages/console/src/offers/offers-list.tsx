import { Button } from '@mantine/core';
import { saveCsv } from '../api/download.ts';
import { useMay } from '../api/session.ts';
import { CataloguePage, OFFER_COLUMNS } from '../catalogue/catalogue-page.tsx';
import { findSellers } from '../catalogue/choices.ts';
import { useDialog } from '../forms/closing.tsx';
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
import { formatCount, texts } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { InlineFailure, useWork } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { countFilters, paths, useSelection, useUrl } from '../url.ts';
import { BulkChange } from './bulk-change.tsx';
import { NewOfferDialog } from './offer-dialog.tsx';
import { findOffers, type Offer, type OfferFilter, priceListOf } from './offers-data.ts';
import '../catalogue/catalogue.css';

const FILTERS = ['query', 'status', 'quantityMax', 'runningOut', 'sellerId'];

const COLUMNS: readonly Column<Offer>[] = [
  { title: 'Product', render: ({ productName }) => productName, look: 'wide' },
  OFFER_COLUMNS.status,
  {
    title: 'Seller',
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
  const selection = useSelection();
  const mayChange = useMay('catalogue');
  return (
    <CataloguePage create={{ label: 'New offer', dialog: <NewOfferDialog /> }}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label="Search offers" placeholder="Words of the product, or an id" />
        <ChoiceFilter name="status" label="Status" choices={texts.catalogue.statuses} />
        <ChoiceFilter name="quantityMax" label="Stock" choices={texts.catalogue.stocks} />
        <ChoiceFilter name="runningOut" label="Sales" choices={texts.catalogue.saleChoices} />
        <MoreFilters names={['sellerId']}>
          <ThingFilter name="sellerId" label="Seller" find={findSellers} />
        </MoreFilters>
        <TextFilter name="sellerId" label="Seller" find={findSellers} />
      </FilterBar>
      <OffersTools
        filter={list.query}
        isFiltered={countFilters(search, FILTERS) > 0 && list.rows?.length !== 0}
      />
      <List
        list={list}
        label="Offers"
        columns={COLUMNS}
        rowPath={({ id }) => paths.offer(id)}
        {...(mayChange ? { selection } : {})}
        icon="catalogue"
        none="No offers yet. Create one, import them, or let the marketplace push them."
      />
      {mayChange ? <Selected {...selection} /> : null}
    </CataloguePage>
  );
}

/** More would not fit into a spreadsheet. */
const DOWNLOADED_MAX = 1_000_000;

type ToolsProps = { readonly filter: OfferFilter; readonly isFiltered: boolean };

function OffersTools({ filter, isFiltered }: ToolsProps) {
  const mayChange = useMay('catalogue');
  const { dialog, open } = useDialog();
  const { isRunning, error, run } = useWork();
  const save = async () => {
    const offers = await findOffers(
      filter,
      DOWNLOADED_MAX,
      (countMax: number) => `More than ${formatCount(countMax)} offers match. Narrow the filter.`,
    );
    const { fileName, head, rows } = priceListOf(offers);
    saveCsv(fileName, head, rows);
  };
  return (
    <div className="list-tools">
      {mayChange && isFiltered ? (
        <Button onClick={() => open(<BulkChange offers={{ filter }} />)}>Change all that match…</Button>
      ) : null}
      <Button loading={isRunning} onClick={() => void run(save)}>
        Download price list
      </Button>
      <InlineFailure error={error} />
      {dialog}
    </div>
  );
}

function Selected({ selected, setSelected }: ReturnType<typeof useSelection>) {
  const { dialog, open } = useDialog();
  const clear = () => setSelected([]);
  const change = () => open(<BulkChange offers={{ ids: selected }} onChanged={clear} />);
  const isAny = selected.length > 0;
  useKeys({ Escape: isAny ? clear : undefined, c: isAny ? change : undefined });
  if (!isAny) return null;
  return (
    <section className="bulk" aria-label={texts.table.selected(selected.length)}>
      <span>{texts.table.selected(selected.length)}</span>
      <Button variant="filled" onClick={change}>
        Change…
      </Button>
      <Button variant="subtle" onClick={clear}>
        Clear selection
      </Button>
      {dialog}
    </section>
  );
}
