import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { admin } from '../api/queries.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { common } from '../texts.ts';
import { Warning } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { findOffers, loadOffers, type Offer, type OfferFilter } from './offers-data.ts';
import { isUnusual, PriceChange } from './price-change.tsx';
import { changeByPercent, readPercent } from './prices.ts';
import { texts } from './texts.ts';

type Kind = keyof typeof texts.offerActions.changes;
type Draft = { readonly kind: Kind; readonly price: string; readonly percent: string };
type Change = { readonly price?: string; readonly status?: Offer['status'] };
/** Without a change, the offer already has the new values. */
type Row = { readonly offer: Offer; readonly change: Change | undefined };

/** The maximum of one change. */
const OFFERS_MAX = 1000;

export type Offers = { readonly ids: readonly string[] } | { readonly filter: OfferFilter };

export function BulkChange(props: { readonly offers: Offers; readonly onChanged?: () => void }) {
  const { offers, onChanged } = props;
  const words = texts.offerActions;
  const loading = useRef<Promise<Offer[]>>(undefined);
  // The rows that were shown are sent, even if prices changed since then.
  const shown = useRef<readonly Row[]>([]);
  const reload = () => {
    loading.current = load(offers);
    return loading.current;
  };
  const read = async () => {
    try {
      return await (loading.current ?? reload());
    } catch {
      return reload();
    }
  };
  return (
    <ActionDialog
      title={'ids' in offers ? words.bulkTitle(offers.ids.length) : words.bulkAllTitle}
      form={`offers:${'ids' in offers ? [...offers.ids].sort().join() : JSON.stringify(offers.filter)}`}
      // One price is seldom right for several offers.
      initial={{
        kind: 'ids' in offers && offers.ids.length === 1 ? 'price' : 'percent',
        price: '',
        percent: '',
      }}
      fields={(form) => <ChangeFields {...form} />}
      problems={problemsOf}
      preview={async (draft) => {
        shown.current = [];
        let tried = await tryOut(await read(), draft);
        if (!tried.isCurrent) tried = await tryOut(await reload(), draft);
        shown.current = tried.rows;
        return { preview: tried.rows, etag: tried.etag };
      }}
      showPreview={(rows) => (rows === undefined ? null : <Preview rows={rows} />)}
      hasEffect={(rows) => rows.some(({ change }) => change !== undefined)}
      submit={(rows = []) => words.bulkSubmit(rows.filter(({ change }) => change).length)}
      run={(_, options) => admin.changeOffers({ body: { changes: changesOf(shown.current) } }, options)}
      onDone={({ data }) => {
        toast(words.bulkDone(data.length));
        onChanged?.();
      }}
    />
  );
}

function load(offers: Offers): Promise<Offer[]> {
  if ('ids' in offers) return loadOffers(offers.ids);
  return findOffers(offers.filter, OFFERS_MAX, texts.offerActions.bulkTooMany);
}

function ChangeFields({ draft, bind }: Fields<Draft>) {
  const words = texts.offerActions;
  return (
    <>
      <SelectField label={words.change} data-autofocus choices={words.changes} {...bind('kind')} />
      {draft.kind === 'price' ? (
        <TextInput label={words.newPrice} inputMode="decimal" {...bind('price')} />
      ) : null}
      {draft.kind === 'percent' ? (
        <TextInput label={words.percent} description={words.percentHint} {...bind('percent')} />
      ) : null}
    </>
  );
}

function Preview({ rows }: { readonly rows: readonly Row[] }) {
  const words = texts.offerActions;
  const count = rows.filter(({ change }) => change !== undefined).length;
  if (count === 0) return words.bulkNothing;
  const unusual = rows.filter(
    ({ offer, change }) =>
      change?.price !== undefined && isUnusual({ before: offer.price, after: change.price }),
  ).length;
  return (
    <>
      <p>{words.bulkSays(count, rows.length - count)}</p>
      {unusual === 0 ? null : <Warning icon="alert">{words.unusual(unusual)}</Warning>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <ul className="changes" aria-label={words.bulkList} tabIndex={0}>
        {rows.map(({ offer, change }) => (
          <li key={offer.id}>
            <span>
              {offer.productName}, {offer.sellerName}
            </span>
            <span className={change === undefined ? 'hint' : undefined}>
              {change === undefined ? common.unchanged : <Changed offer={offer} change={change} />}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Changed({ offer, change: { price, status } }: { readonly offer: Offer; readonly change: Change }) {
  if (price !== undefined) return <PriceChange before={offer.price} after={price} />;
  const statuses = common.offerStatuses;
  return `${statuses[offer.status]} → ${statuses[status ?? offer.status]}`;
}

function changesOf(rows: readonly Row[]) {
  return rows.flatMap(({ offer, change }) =>
    change === undefined ? [] : [{ offerId: offer.id, ...change }],
  );
}

/** Its ETag binds the write to the prices that were shown, which may have changed since they were read. */
async function tryOut(offers: readonly Offer[], draft: Draft) {
  const rows = offers.map((offer) => ({ offer, change: changeOf(offer, draft) }));
  const changes = changesOf(rows);
  if (changes.length === 0) return { rows, etag: '', isCurrent: true };
  const { preview, etag } = await admin.preview('changeOffers', { body: { changes } });
  const before = new Map(preview.offers?.map((changed) => [changed.offerId, changed.before]));
  const isCurrent = rows.every(({ offer, change }) => {
    const { price, status } = before.get(offer.id) ?? {};
    return change === undefined || (price === offer.price && status === offer.status);
  });
  return { rows, etag, isCurrent };
}

function problemsOf({ kind, price, percent }: Draft) {
  const { priceWrong, percentWrong } = texts.offerActions;
  if (kind === 'price') return { price: amountProblem(price, priceWrong) };
  if (kind === 'percent') return { percent: readPercent(percent) === undefined ? percentWrong : undefined };
  return {};
}

function changeOf(offer: Offer, { kind, price, percent }: Draft): Change | undefined {
  if (kind === 'pause' || kind === 'resume') {
    const status = kind === 'pause' ? 'paused' : 'active';
    return status === offer.status ? undefined : { status };
  }
  const next = kind === 'price' ? readPrice(price) : changeByPercent(offer.price, readPercent(percent) ?? 0n);
  return next === undefined || next === offer.price ? undefined : { price: next };
}
