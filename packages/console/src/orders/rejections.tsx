import type { OperatorElement } from '@keyport/sdk/admin';
import { SERVICE_URL } from '../api/place.ts';
import { findAccounts } from '../catalogue/choices.ts';
import type { Column } from '../lists/data-table.tsx';
import {
  ChoiceFilter,
  DaysFilter,
  FilterBar,
  MoreFilters,
  TextFilter,
  ThingFilter,
} from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { plural, texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { formatMoney, ShortId } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import './rejections.css';

type Rejection = OperatorElement<'listRejections'>;

const FILTERS = ['code', 'from', 'to', 'accountId'];
const words = texts.rejections;
const CODES = Object.fromEntries(Object.keys(words.codes).map((code) => [code, code]));

const COLUMNS: readonly Column<Rejection>[] = [
  { title: 'Account', render: ({ accountName }) => accountName },
  { title: 'Requested', render: (rejection) => <Asked {...rejection} /> },
  {
    title: 'Response to the reseller',
    render: ({ code, message }) => (
      <div className="wraps">
        <code>{code}</code>
        <div>{message}</div>
      </div>
    ),
  },
  {
    title: 'Idempotency key',
    render: ({ idempotencyKey }) => <ShortId id={idempotencyKey} what="Idempotency key" />,
    look: 'minor',
  },
  { title: 'Time', time: 'rejectedAt', look: 'right', sort: 'rejectedAt' },
];

export function Rejections() {
  const { code } = useUrl().search;
  const list = useList('listRejections', {
    filters: FILTERS,
    sortedBy: '-rejectedAt',
    query: useDays('dateFrom', 'dateTo'),
    everyMs: 15_000,
  });
  return (
    <Page title="Rejected orders" back={{ to: paths.orders, label: 'Orders' }}>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="code" label="Code" choices={CODES} />
        <DaysFilter />
        <MoreFilters names={['accountId']}>
          <ThingFilter name="accountId" label="Account" find={findAccounts} />
        </MoreFilters>
        <TextFilter name="accountId" label="Account" find={findAccounts} />
      </FilterBar>
      {code === undefined ? null : <Code code={code} />}
      <p className="hint">
        Rejected in the last 30 days. Resellers find them in their own logs by the idempotency key.
      </p>
      <List
        list={list}
        label="Rejected orders"
        isLabelled
        columns={COLUMNS}
        rowKey={({ accountId, idempotencyKey }) => `${accountId}:${idempotencyKey}`}
        rowPath={({ accountId }) => paths.account(accountId)}
        icon="check"
        none="No order was rejected in the last 30 days."
      />
    </Page>
  );
}

function Asked({ productId, productName, quantity, maxPrice }: Rejection) {
  return (
    <div className="wraps">
      <div>{productName ?? (productId === null ? 'No such offer' : `No product ${productId}`)}</div>
      <div className="hint">
        {plural(quantity, 'unit')}, at most {formatMoney(maxPrice)} each
      </div>
    </div>
  );
}

function Code({ code }: { readonly code: string }) {
  const [meaning, remedy] = words.codes[code] ?? [];
  if (meaning === undefined) return null;
  return (
    <section className="code-help" aria-label={code}>
      <dl>
        <dt>What it means</dt>
        <dd>{meaning}</dd>
        <dt>What to do</dt>
        <dd>{remedy}</dd>
      </dl>
      <a href={`${SERVICE_URL}/docs/errors/${code}`}>Documentation of this code for resellers</a>
    </section>
  );
}
