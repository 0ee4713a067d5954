import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useRead } from '../api/queries.ts';
import { Steps } from '../lists/steps.tsx';
import { OrderSummary } from '../orders/order-summary.tsx';
import { Hint } from '../ui/hint.tsx';
import { Empty, Loaded, Page } from '../ui/page.tsx';
import { Isolated, Money, OrderLink, Time } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { texts } from './texts.ts';

type Order = OperatorElement<'listAllOrders'>;

const LIMIT = 200;

export function Held() {
  const { search, look } = useUrl();
  const query = useRead(
    'listAllOrders',
    { query: { status: 'held', imported: false, sort: 'ASC', limit: LIMIT } },
    { everyMs: 15_000 },
  );
  const orders = query.data?.data ?? [];
  // When the displayed order leaves the queue, the next one takes its place.
  const place = useRef(0);
  const found = orders.findIndex(({ id }) => id === search['order']);
  const index = Math.min(found === -1 ? place.current : found, Math.max(orders.length - 1, 0));
  place.current = index;
  const order = orders[index];
  return (
    <Page
      title={texts.title}
      actions={
        order === undefined ? null : (
          <Steps ids={orders.map(({ id }) => id)} place={index} open={(id) => look({ order: id })} />
        )
      }
    >
      <Loaded query={query}>
        {({ meta }) =>
          order === undefined ? (
            <Empty icon="check">{texts.empty}</Empty>
          ) : (
            <HeldOrder
              order={order}
              place={texts.place(index + 1, orders.length, 'hasMore' in meta && meta.hasMore)}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

function HeldOrder({ order, place }: { readonly order: Order; readonly place: string }) {
  return (
    <>
      <Group gap="8px 24px" mb={16} p="12px 16px" bg="var(--panel)" bdrs={6}>
        <div>
          <Hint>{place}</Hint>
          <h2>
            <OrderLink id={order.id} />
          </h2>
          <p>
            <strong>
              <Isolated>{order.accountName}</Isolated>
            </strong>{' '}
            · <History order={order} /> · {texts.since} <Time at={order.createdAt} />
          </p>
        </div>
        <Text component="strong" fz={20} fw={600} ml="auto">
          <Money amount={order.totalPrice} currency={order.currency} />
        </Text>
      </Group>
      <OrderSummary key={order.id} orderId={order.id} />
    </>
  );
}

function History({ order }: { readonly order: Order }) {
  const { accountHistory } = order;
  if (accountHistory === undefined) return null;
  const { createdAt, orders, refunded } = accountHistory;
  const days = Math.floor((Date.now() - Date.parse(createdAt)) / 86_400_000);
  return texts.history(days, orders, refunded);
}
