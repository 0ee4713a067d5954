import { formatMinor } from '@keyport/core/money';
import { Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { fourAtOnce } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { Steps } from '../forms/steps.tsx';
import { texts as formTexts } from '../forms/texts.ts';
import { isUnknownOutcome } from '../forms/use-action.ts';
import { common, formatCount, formatMoney, toNames } from '../texts.ts';
import { Facts, Warning } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Isolated, Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { loadOffers, type Offer } from './offers-data.ts';
import { isUnusual, PriceChange } from './price-change.tsx';
import { changeByPercent, readPercent, toCents } from './prices.ts';
import { texts } from './texts.ts';

type Kind = keyof typeof texts.offerActions.changes;
type Draft = { readonly kind: Kind; readonly price: string; readonly percent: string };
type Change = { readonly price?: string; readonly status?: Offer['status'] };
/** `change` is undefined if the offer already has the new values. */
type Row = { readonly offer: Offer; readonly change: Change | undefined };

/** Offers that the service changes together, in one request. */
type Portion = { readonly rows: readonly Row[]; readonly etag: string };

/** The maximum per request. */
const PORTION = 1000;
const ROWS_SHOWN = 200;

export function BulkChange(props: {
  readonly ids: readonly string[];
  /** Reads all matches, which is faster than reading each by its id. */
  readonly all: (() => AsyncIterable<Offer>) | undefined;
  /** `left` names the offers that were not changed, because the operator stopped the change. */
  readonly onChanged: (left: readonly string[]) => void;
}) {
  const { ids, all, onChanged } = props;
  const words = texts.offerActions;
  const [step, setStep] = useState<Parameters<typeof Steps>[0]>();
  const portions = usePortions(ids);
  const loading = useRef<Promise<Offer[]>>(undefined);
  // The rows that were shown are sent, even if prices changed since then.
  const shown = useRef<readonly Portion[]>([]);
  const note = (text: (done: number, all: number) => string) => (done: number) =>
    setStep({ text: text(done, ids.length), share: done / ids.length });
  const reload = () => {
    loading.current = load(portions.left(), all, note(formTexts.steps.checked));
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
      title={words.bulkTitle(ids.length)}
      form={`offers:${ids[0]}:${ids.length}`}
      size={ids.length === 1 ? 'md' : 'lg'}
      // One price is seldom right for several offers.
      hasReason
      initial={{ kind: ids.length === 1 ? 'price' : 'percent', price: '', percent: '' }}
      fields={(form) => <ChangeFields {...form} />}
      problems={findProblems}
      progress={step && <Steps {...step} />}
      preview={async (draft) => {
        shown.current = [];
        let tried = await tryOut(await read(), draft);
        if (!tried.every(({ isCurrent }) => isCurrent)) tried = await tryOut(await reload(), draft);
        shown.current = tried;
        return { preview: tried.flatMap(({ rows }) => rows), etag: '' };
      }}
      showPreview={(rows) => (rows === undefined ? null : <Preview rows={rows} />)}
      hasEffect={(rows) => rows.some(({ change }) => change !== undefined)}
      submit={(rows = []) => words.bulkSubmit(changedIn(rows).length)}
      typed={(rows = []) => (changedIn(rows).length === 0 ? undefined : String(changedIn(rows).length))}
      run={({ reason }, _, stop) =>
        portions
          .send(shown.current, { reason, stop, onDone: note(formTexts.steps.done) })
          .catch((error: unknown) => {
            loading.current = undefined;
            throw error;
          })
      }
      onDone={() => {
        const left = portions.left();
        const count = portions.changed();
        const text =
          left.length === 0
            ? words.bulkDone(count)
            : formTexts.steps.stopped(count, common.changed, left.length);
        toast(
          <>
            {text}{' '}
            <Link to={paths.audit} search={{ action: 'offer.change-many' }}>
              {words.undoInLog}
            </Link>
          </>,
        );
        onChanged(left);
      }}
    />
  );
}

/** Sends one portion after another. If one fails, a retry skips the portions before it. */
function usePortions(ids: readonly string[]) {
  const done = useRef(new Set<string>());
  const changed = useRef(0);
  const keys = useRef(new Map<string, string>());
  const send = async ({ rows, etag }: Portion, reason: string) => {
    const changes = toChanges(rows);
    const name = changes[0]?.offerId ?? '';
    const idempotencyKey = keys.current.get(name) ?? newUuid();
    keys.current.set(name, idempotencyKey);
    const sent = await admin
      .changeOffers({ body: { reason, changes } }, { idempotencyKey, ifMatch: etag })
      .withResponse()
      .catch((error: unknown) => {
        if (!isUnknownOutcome(error)) keys.current.delete(name);
        throw error;
      });
    for (const { offer } of rows) done.current.add(offer.id);
    changed.current += changes.length;
    return sent;
  };
  return {
    left: () => ids.filter((id) => !done.current.has(id)),
    changed: () => changed.current,
    async send(
      portions: readonly Portion[],
      { reason, stop, onDone }: { reason: string; stop: AbortSignal; onDone: (count: number) => void },
    ) {
      const left = portions.filter(({ rows }) => rows.some(({ offer }) => !done.current.has(offer.id)));
      const [first, ...others] = left.filter(({ rows }) => toChanges(rows).length > 0);
      if (first === undefined) throw new Error('there is nothing to change');
      onDone(done.current.size);
      let sent = await send(first, reason);
      for (const portion of others) {
        if (stop.aborted) break;
        onDone(done.current.size);
        sent = await send(portion, reason);
      }
      return sent;
    },
  };
}

async function load(
  ids: readonly string[],
  all: (() => AsyncIterable<Offer>) | undefined,
  onDone: (count: number) => void,
): Promise<Offer[]> {
  if (all === undefined) return loadOffers(ids, onDone);
  const wanted = new Set(ids);
  const found: Offer[] = [];
  for await (const offer of all()) {
    if (!wanted.has(offer.id)) continue;
    found.push(offer);
    if (found.length % 100 === 0) onDone(found.length);
  }
  return found;
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
  const changed = changedIn(rows);
  const count = changed.length;
  if (count === 0) return words.bulkNothing;
  const sellers = [...new Set(changed.map(({ offer }) => offer.sellerName))];
  const units = changed.reduce((sum, { offer }) => sum + offer.quantity, 0);
  const unusual = rows.filter(
    ({ offer, change }) =>
      change?.price !== undefined && isUnusual({ before: offer.price, after: change.price }),
  ).length;
  return (
    <>
      <p>{words.bulkSays(count, rows.length - count)}</p>
      <Facts
        facts={{
          [words.bulkFacts.sellers]: toNames(sellers),
          [words.bulkFacts.onSale]: formatCount(units),
          [words.bulkFacts.value]:
            `${computeWorth(changed, ({ offer }) => offer.price)} → ${computeWorth(changed, ({ offer, change }) => change?.price ?? offer.price)}`,
        }}
      />
      {unusual === 0 ? null : <Warning icon="alert">{words.unusual(unusual)}</Warning>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <ul className="rows" aria-label={words.bulkList} tabIndex={0}>
        {rows.slice(0, ROWS_SHOWN).map(({ offer, change }) => (
          <li key={offer.id}>
            <span className="grow">
              <Isolated>{offer.productName}</Isolated>, <Isolated>{offer.sellerName}</Isolated>
            </span>
            <Text span inherit {...(change === undefined && { c: 'dimmed' })}>
              {change === undefined ? common.unchanged : <Changed offer={offer} change={change} />}
            </Text>
          </li>
        ))}
        {rows.length > ROWS_SHOWN ? <li>{common.others(rows.length - ROWS_SHOWN)}</li> : null}
      </ul>
    </>
  );
}

function Changed({ offer, change: { price, status } }: { readonly offer: Offer; readonly change: Change }) {
  if (price !== undefined) return <PriceChange before={offer.price} after={price} />;
  const statuses = common.offerStatuses;
  return `${statuses[offer.status]} → ${statuses[status ?? offer.status]}`;
}

const changedIn = (rows: readonly Row[]) => rows.filter(({ change }) => change !== undefined);

/** The exact value of the units on sale. */
function computeWorth(rows: readonly Row[], toPrice: (row: Row) => string): string {
  const cents = rows.reduce((sum, row) => sum + toCents(toPrice(row)) * BigInt(row.offer.quantity), 0n);
  return formatMoney(formatMinor(cents));
}

function toChanges(rows: readonly Row[]) {
  return rows.flatMap(({ offer, change }) =>
    change === undefined ? [] : [{ offerId: offer.id, ...change }],
  );
}

async function tryOut(offers: readonly Offer[], draft: Draft) {
  const rows = offers.map((offer) => ({ offer, change: toChange(offer, draft) }));
  const count = Math.ceil(rows.length / PORTION);
  const portions = Array.from({ length: count }, (_, index) => rows.slice(index * PORTION).slice(0, PORTION));
  return fourAtOnce(portions, tryPortion);
}

/** The preview's ETag binds the write to its prices. `isCurrent` is false if other prices were shown. */
async function tryPortion(rows: readonly Row[]) {
  const changes = toChanges(rows);
  if (changes.length === 0) return { rows, etag: '', isCurrent: true };
  const { preview, etag } = await admin.preview('changeOffers', { body: { changes } });
  const before = new Map(preview.offers?.map((changed) => [changed.offerId, changed.before]));
  const isCurrent = rows.every(({ offer, change }) => {
    const { price, status } = before.get(offer.id) ?? {};
    return change === undefined || (price === offer.price && status === offer.status);
  });
  return { rows, etag, isCurrent };
}

function findProblems({ kind, price, percent }: Draft) {
  const { priceWrong, percentWrong } = texts.offerActions;
  if (kind === 'price') return { price: amountProblem(price, priceWrong) };
  if (kind === 'percent') return { percent: readPercent(percent) === undefined ? percentWrong : undefined };
  return {};
}

function toChange(offer: Offer, { kind, price, percent }: Draft): Change | undefined {
  if (kind === 'pause' || kind === 'resume') {
    const status = kind === 'pause' ? 'paused' : 'active';
    return status === offer.status ? undefined : { status };
  }
  const next = kind === 'price' ? readPrice(price) : changeByPercent(offer.price, readPercent(percent) ?? 0n);
  return next === undefined || next === offer.price ? undefined : { price: next };
}
