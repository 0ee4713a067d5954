/** Saves all matching offers as a price list, or changes them. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { saveCsv } from '../api/download.ts';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { InlineFailure } from '../ui/states.tsx';
import { BulkChange } from './bulk-change.tsx';
import { findOffers, type OfferFilter, priceListOf } from './offers-data.ts';
import '../catalogue/catalogue.css';

/** More would not fit into a spreadsheet. */
const DOWNLOADED_MAX = 1_000_000;

export function OffersTools(props: { readonly filter: OfferFilter; readonly isFiltered: boolean }) {
  const { filter, isFiltered } = props;
  const mayChange = useMay('catalogue');
  const [isOpen, setOpen] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setLoading(true);
    setError(undefined);
    try {
      const offers = await findOffers(filter, DOWNLOADED_MAX, texts.catalogue.downloadTooMany);
      const { fileName, head, rows } = priceListOf(offers);
      saveCsv(fileName, head, rows);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setLoading(false);
    }
  };
  return (
    <div className="list-tools">
      {mayChange && isFiltered ? (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {texts.offerActions.bulkAll}…
        </Button>
      ) : null}
      <Button size="xs" variant="default" loading={isLoading} onClick={() => void save()}>
        {texts.catalogue.download}
      </Button>
      <InlineFailure error={error} />
      {isOpen ? (
        <BulkChange offers={{ filter }} onClose={() => setOpen(false)} onChanged={() => setOpen(false)} />
      ) : null}
    </div>
  );
}
