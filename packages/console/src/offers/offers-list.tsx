import { Button } from '@mantine/core';
import { saveCsv } from '../api/download.ts';
import { useMay } from '../api/session.ts';
import { CataloguePage, OFFER_COLUMNS } from '../catalogue/catalogue-page.tsx';
import { findSellers } from '../catalogue/choices.ts';
import { useDialog } from '../forms/closing.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, MoreFilters, SearchFilter, TextFilter, ThingFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { InlineFailure, useWork } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { countFilters, paths, useSelection, useUrl } from '../url.ts';
import { BulkChange } from './bulk-change.tsx';
import { NewOfferDialog } from './offer-dialog.tsx';
import { findOffers, type Offer, type OfferFilter, priceListOf } from './offers-data.ts';
import { texts } from './texts.ts';
import '../catalogue/catalogue.css';

const FILTERS = ['query', 'status', 'quantityMax', 'runningOut', 'sellerId'];

const COLUMNS: readonly Column<Offer>[] = [
  { title: common.product, render: ({ productName }) => productName, look: 'wide' },
  OFFER_COLUMNS.status,
  {
    title: common.seller,
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
    <CataloguePage create={{ label: common.newOffer, dialog: <NewOfferDialog /> }}>
      <List
        list={list}
        filters={
          <>
            <SearchFilter
              name="query"
              label={texts.offers.searchOffers}
              placeholder={texts.offers.offerWords}
            />
            <ChoiceFilter name="status" label={common.status} choices={common.offerStatuses} />
            <ChoiceFilter name="quantityMax" label={texts.offers.stock} choices={texts.offers.stocks} />
            <ChoiceFilter name="runningOut" label={texts.offers.sales} choices={texts.offers.saleChoices} />
            <MoreFilters names={['sellerId']}>
              <ThingFilter name="sellerId" label={common.seller} find={findSellers} />
            </MoreFilters>
            <TextFilter name="sellerId" label={common.seller} find={findSellers} />
          </>
        }
        tools={
          <OffersTools
            filter={list.query}
            isFiltered={countFilters(search, FILTERS) > 0 && list.rows?.length !== 0}
          />
        }
        label={common.catalogueParts.offers}
        columns={COLUMNS}
        rowPath={({ id }) => paths.offer(id)}
        {...(mayChange ? { selection } : {})}
        icon="catalogue"
        none={texts.offers.noOffers}
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
    const offers = await findOffers(filter, DOWNLOADED_MAX, texts.offers.downloadTooMany);
    const { fileName, head, rows } = priceListOf(offers);
    saveCsv(fileName, head, rows);
  };
  return (
    <>
      {mayChange && isFiltered ? (
        <Button onClick={() => open(<BulkChange offers={{ filter }} />)}>
          {texts.offerActions.bulkAll}…
        </Button>
      ) : null}
      <Button loading={isRunning} onClick={() => void run(save)}>
        {texts.offers.download}
      </Button>
      <InlineFailure error={error} />
      {dialog}
    </>
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
    <section className="bulk" aria-label={common.selected(selected.length)}>
      <span>{common.selected(selected.length)}</span>
      <Button variant="filled" onClick={change}>
        {texts.offerActions.change}…
      </Button>
      <Button variant="subtle" onClick={clear}>
        {common.clearSelection}
      </Button>
      {dialog}
    </section>
  );
}
