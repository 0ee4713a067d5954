import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Paper } from '@mantine/core';
import { SERVICE_URL } from '../api/place.ts';
import { findAccounts } from '../catalogue/choices.ts';
import { toColumns } from '../lists/columns.tsx';
import {
  ChoiceFilter,
  DaysFilter,
  MoreFilters,
  SearchFilter,
  TextFilter,
  ThingFilter,
} from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Page } from '../ui/page.tsx';
import { formatMoney } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { texts } from './texts.ts';

type Rejection = OperatorElement<'listRejections'>;

const FILTERS = ['query', 'code', 'from', 'to', 'accountId'];
const words = texts.rejections;
const CODES = Object.fromEntries(Object.keys(words.codes).map((code) => [code, code]));

const COLUMNS = toColumns('listRejections', {
  productName: (rejection) => <Asked {...rejection} />,
  code: ({ code, message }) => (
    <div className="wraps">
      <code>{code}</code>
      <div>{message}</div>
    </div>
  ),
});

export function Rejections() {
  const { code } = useUrl().search;
  const list = useList('listRejections', {
    filters: FILTERS,
    sortedBy: '-rejectedAt',
    query: useDays('dateFrom', 'dateTo'),
    everyMs: 15_000,
  });
  return (
    <Page title={common.rejectedOrders} back={{ to: paths.orders, label: common.navigation.orders }}>
      <Hint>{words.kept}</Hint>
      <List
        list={list}
        filters={
          <>
            <SearchFilter name="query" label={words.searchLabel} placeholder={words.search} />
            <ChoiceFilter name="code" label={words.code} choices={CODES} />
            <DaysFilter />
            <MoreFilters names={['accountId']}>
              <ThingFilter name="accountId" label={common.account} find={findAccounts} />
            </MoreFilters>
            <TextFilter name="accountId" label={common.account} find={findAccounts} />
            {code === undefined ? null : <Code code={code} />}
          </>
        }
        label={common.rejectedOrders}
        isLabelled
        columns={COLUMNS}
        rowKey={({ accountId, idempotencyKey }) => `${accountId}:${idempotencyKey}`}
        rowPath={({ accountId }) => paths.account(accountId)}
        icon="check"
        none={words.empty}
      />
    </Page>
  );
}

function Asked({ productId, productName, quantity, maxPrice }: Rejection) {
  return (
    <div className="wraps">
      <div>{productName ?? (productId === null ? words.noOffer : words.noProduct(productId))}</div>
      <Hint>{words.terms(quantity, formatMoney(maxPrice))}</Hint>
    </div>
  );
}

function Code({ code }: { readonly code: string }) {
  const [meaning, remedy] = words.codes[code] ?? [];
  if (meaning === undefined) return null;
  return (
    <Paper
      component="section"
      bg="var(--panel)"
      px={16}
      py={12}
      maw={760}
      style={{ order: 1, flex: '1 0 100%' }}
      aria-label={code}
    >
      <dl>
        <dt>{words.means}</dt>
        <dd>{meaning}</dd>
        <dt>{words.todo}</dt>
        <dd>{remedy}</dd>
      </dl>
      <a href={`${SERVICE_URL}/docs/errors/${code}`}>{words.page}</a>
    </Paper>
  );
}
