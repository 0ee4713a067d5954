/** Orders that checkout rejected: whose, when, what the reseller was told, and what to do about a code. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { SERVICE_URL } from '../api/place.ts';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, DaysFilter, dayEnd, dayStart, FilterBar, TextFilter } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyList } from '../ui/states.tsx';
import { formatMoney, ShortId, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import './rejections.css';

type Rejection = OperatorElement<'listRejections'>;

const FILTERS = ['code', 'from', 'to', 'accountId'];
const LIVE_MS = 15_000;
const words = texts.rejections;
const CODES = Object.fromEntries(Object.keys(words.codes).map((code) => [code, code]));

const COLUMNS: readonly Column<Rejection>[] = [
  { title: words.account, render: ({ accountName }) => accountName },
  { title: words.asked, render: (rejection) => <Asked {...rejection} /> },
  {
    title: words.told,
    render: ({ code, message }) => (
      <div className="wraps">
        <code>{code}</code>
        <div>{message}</div>
      </div>
    ),
  },
  {
    title: words.idempotencyKey,
    render: ({ idempotencyKey }) => <ShortId id={idempotencyKey} what={words.idempotencyKey} />,
    isMinor: true,
  },
  { title: words.at, render: ({ rejectedAt }) => <Time at={rejectedAt} />, isRight: true },
];

export function Rejections() {
  const { search } = useUrl();
  const zone = useZone();
  const { code, accountId, from, to, cursor } = search;
  const query = {
    code,
    accountId,
    dateFrom: dayStart(from, zone),
    dateTo: dayEnd(to, zone),
    cursor,
    limit: 50,
  };
  const result = useLive(
    ['rejections', query],
    (client, signal) => client.listRejections({ query: query as never }, { signal }),
    { everyMs: cursor === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  return (
    <Page title={words.title} back={{ to: paths.orders, label: texts.orders.title }}>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="code" label={words.code} choices={CODES} />
        <DaysFilter />
        <TextFilter name="accountId" label={words.account} />
      </FilterBar>
      {code === undefined ? null : <Code code={code} />}
      <p className="hint">{words.kept}</p>
      <DataTable
        label={words.title}
        isLabelled
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ accountId: account, idempotencyKey }) => `${account}:${idempotencyKey}`}
        rowPath={({ accountId: account }) => paths.account(account)}
        pager={pager}
        empty={<EmptyList icon="check" filters={FILTERS} pager={pager} none={words.empty} />}
      />
    </Page>
  );
}

function Asked({ productId, productName, quantity, maxPrice }: Rejection) {
  return (
    <div className="wraps">
      <div>{productName ?? (productId === null ? words.noOffer : words.noProduct(productId))}</div>
      <div className="hint">{words.terms(quantity, formatMoney(maxPrice))}</div>
    </div>
  );
}

function Code({ code }: { readonly code: string }) {
  const [meaning, remedy] = words.codes[code] ?? [];
  if (meaning === undefined) return null;
  return (
    <section className="code-help" aria-label={code}>
      <dl>
        <dt>{words.means}</dt>
        <dd>{meaning}</dd>
        <dt>{words.todo}</dt>
        <dd>{remedy}</dd>
      </dl>
      <a href={`${SERVICE_URL}/docs/errors/${code}`}>{words.page}</a>
    </section>
  );
}
