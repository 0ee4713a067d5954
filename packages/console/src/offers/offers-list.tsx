import { Button } from '@mantine/core';
import { saveCsv } from '../api/download.ts';
import { useMay } from '../api/session.ts';
import { CataloguePage, OFFER_CELLS } from '../catalogue/catalogue-page.tsx';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import type { Chosen } from '../lists/selected.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { InlineFailure, useWork } from '../ui/page.tsx';
import { paths, useSelection } from '../url.ts';
import { allOffers, type Offer, toPriceList } from './offers-data.ts';
import { texts } from './texts.ts';

const BulkChange = lazyPart(async () => (await import('./bulk-change.tsx')).BulkChange);

const COLUMNS = toColumns('listOffers', OFFER_CELLS);

export function OffersList() {
  const list = useList('listOffers', { isFiltered: true });
  const selection = useSelection();
  const mayChange = useMay('catalogue');
  return (
    <CataloguePage create={common.newOffer}>
      <List
        list={list}
        tools={<DownloadToEdit all={list.all} />}
        label={common.catalogueParts.offers}
        columns={COLUMNS}
        rowPath={({ id }) => paths.offer(id)}
        {...(mayChange ? { selection } : {})}
        bulk={(chosen) => <ChangeButton chosen={chosen} all={list.all} />}
        icon="catalogue"
        none={texts.offers.noOffers}
      />
    </CataloguePage>
  );
}

/** The most rows that fit in a spreadsheet. */
const DOWNLOADED_MAX = 1_000_000;

type All = { readonly all: () => AsyncIterable<Offer> };

function DownloadToEdit({ all }: All) {
  const { isRunning, error, run } = useWork();
  const save = async () => {
    const { fileName, head, rows } = toPriceList(await allOffers(all(), DOWNLOADED_MAX));
    saveCsv(fileName, head, rows);
  };
  return (
    <>
      <Button loading={isRunning} onClick={() => void run(save)}>
        {texts.offers.download}
      </Button>
      <InlineFailure error={error} />
    </>
  );
}

function ChangeButton({ chosen: { ids, isAll, keep }, all }: All & { readonly chosen: Chosen }) {
  const change = () => openDialog(<BulkChange ids={ids} all={isAll ? all : undefined} onChanged={keep} />);
  useKeys({ c: change });
  return (
    <Button variant="filled" onClick={change}>
      {texts.offerActions.change}…
    </Button>
  );
}
