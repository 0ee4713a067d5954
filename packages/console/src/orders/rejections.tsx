import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Paper, Text } from '@mantine/core';
import { SERVICE_URL } from '../api/place.ts';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { common, formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { paths, useUrl } from '../url.ts';
import { texts } from './texts.ts';

type Rejection = OperatorElement<'listRejections'>;

const words = texts.rejections;

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
  const list = useList('listRejections', { isFiltered: true, sortedBy: '-rejectedAt', everyMs: 15_000 });
  return (
    <ListPage
      title={common.rejectedOrders}
      back={{ to: paths.orders, label: common.navigation.orders }}
      intro={
        <>
          <Hint mb={12}>{words.kept}</Hint>
          {code === undefined ? null : <Code code={code} />}
        </>
      }
      list={list}
      isLabelled
      columns={COLUMNS}
      rowKey={({ accountId, idempotencyKey }) => `${accountId}:${idempotencyKey}`}
      rowPath={({ accountId }) => paths.account(accountId)}
      icon="check"
      none={words.empty}
    />
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
    <Paper component="section" bg="var(--panel)" px={16} py={12} maw={760} mb={12} aria-label={code}>
      <dl>
        <Text component="dt" fw={600}>
          {words.means}
        </Text>
        <Text component="dd" mb={12}>
          {meaning}
        </Text>
        <Text component="dt" fw={600}>
          {words.todo}
        </Text>
        <Text component="dd" mb={12}>
          {remedy}
        </Text>
      </dl>
      <a href={`${SERVICE_URL}/docs/errors/${code}`}>{words.page}</a>
    </Paper>
  );
}
