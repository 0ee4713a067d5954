/** Changes selected offers, all of them or none; shows first what each becomes. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { NativeSelect, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { changeByPercent, readPercent, readPrice } from './prices.ts';

type Kind = keyof typeof texts.offerActions.changes;
type Draft = { readonly kind: Kind; readonly price: string; readonly percent: string };
type Offer = OperatorElement<'listOffers'>;
type Change = { readonly price?: string; readonly status?: Offer['status'] };
/** Without a change: it is as it should be. */
type Row = { readonly offer: Offer; readonly change: Change | undefined };

const EMPTY: Draft = { kind: 'price', price: '', percent: '' };
/** Of reads at the same time. */
const AT_ONCE = 4;

export function BulkChange(props: {
  readonly offerIds: readonly string[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { offerIds, onClose, onChanged } = props;
  const words = texts.offerActions;
  // What is sent is what was shown, whatever the prices are by then.
  const shown = useRef<readonly Row[]>([]);
  return (
    <ActionDialog<Draft, readonly Row[]>
      onClose={onClose}
      title={words.bulkTitle(offerIds.length)}
      form={`offers:${[...offerIds].sort().join()}`}
      initial={EMPTY}
      hasReason={false}
      fields={(draft, change) => <Fields draft={draft} change={change} />}
      check={problemOf}
      preview={async (draft) => {
        shown.current = [];
        const rows = (await loadOffers(offerIds)).map((offer) => ({ offer, change: changeOf(offer, draft) }));
        const response = await dryRun(changesOf(rows));
        shown.current = rows;
        return { data: rows, response };
      }}
      showPreview={(rows) => (rows === undefined ? null : <Preview rows={rows} />)}
      submit={(rows = []) => words.bulkSubmit(rows.filter(({ change }) => change).length || offerIds.length)}
      run={(_, { client, idempotencyKey }) =>
        client
          .changeOffers({ body: { changes: changesOf(shown.current) } }, { idempotencyKey })
          .withResponse()
      }
      onDone={({ data }) => {
        toast(words.bulkDone((data as readonly unknown[]).length));
        onChanged();
        void queryClient.invalidateQueries();
      }}
    />
  );
}

function Fields({ draft, change }: { readonly draft: Draft; readonly change: (c: Partial<Draft>) => void }) {
  const words = texts.offerActions;
  return (
    <>
      <NativeSelect
        label={words.change}
        data-autofocus
        value={draft.kind}
        data={Object.entries(words.changes).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value as Kind })}
      />
      {draft.kind === 'price' ? (
        <TextInput
          label={words.newPrice}
          inputMode="decimal"
          value={draft.price}
          onChange={({ currentTarget }) => change({ price: currentTarget.value })}
        />
      ) : null}
      {draft.kind === 'percent' ? (
        <TextInput
          label={words.percent}
          description={words.percentHint}
          value={draft.percent}
          onChange={({ currentTarget }) => change({ percent: currentTarget.value })}
        />
      ) : null}
    </>
  );
}

function Preview({ rows }: { readonly rows: readonly Row[] }) {
  const words = texts.offerActions;
  if (rows.every(({ change }) => change === undefined)) return words.bulkNothing;
  return (
    <ul className="changes">
      {rows.map(({ offer, change }) => (
        <li key={offer.id}>
          <span>
            {offer.productName}, {offer.sellerName}
          </span>
          <span className={change === undefined ? 'hint' : undefined}>
            {change === undefined ? words.unchanged : changeText(offer, change)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function changeText(offer: Offer, { price, status }: Change): string {
  if (price !== undefined) return `${formatMoney(offer.price)} → ${formatMoney(price)}`;
  const { statuses } = texts.catalogue;
  return `${statuses[offer.status]} → ${statuses[status ?? offer.status]}`;
}

function changesOf(rows: readonly Row[]) {
  return rows.flatMap(({ offer, change }) =>
    change === undefined ? [] : [{ offerId: offer.id, ...change }],
  );
}

/** Its ETag binds the write to the prices that were shown. */
async function dryRun(changes: ReturnType<typeof changesOf>): Promise<Response> {
  if (changes.length === 0) return new Response();
  return (await admin.changeOffers({ body: { changes, dryRun: true } }).withResponse()).response;
}

function problemOf({ kind, price, percent }: Draft): string | undefined {
  if (kind === 'price' && readPrice(price) === undefined) return texts.offerActions.priceWrong;
  if (kind === 'percent' && readPercent(percent) === undefined) return texts.offerActions.percentWrong;
  return undefined;
}

function changeOf(offer: Offer, { kind, price, percent }: Draft): Change | undefined {
  if (kind === 'pause' || kind === 'resume') {
    const status = kind === 'pause' ? 'paused' : 'active';
    return status === offer.status ? undefined : { status };
  }
  const next = kind === 'price' ? readPrice(price) : changeByPercent(offer.price, readPercent(percent) ?? 0n);
  return next === undefined || next === offer.price ? undefined : { price: next };
}

/** In the order of the ids; those that are gone are left out. */
async function loadOffers(ids: readonly string[]): Promise<Offer[]> {
  const found: Offer[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const pages = await Promise.all(some.map((id) => admin.listOffers({ query: { query: id, limit: 1 } })));
    found.push(...pages.flatMap(({ data }) => data));
  }
  return found;
}
