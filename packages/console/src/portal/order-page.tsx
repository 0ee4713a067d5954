import type { Order, OrderTimeline } from '@keyport/contract/orders/orders';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common, formatMoney } from '../texts.ts';
import { Columns, Facts, Section, ThingPage } from '../ui/page.tsx';
import { Badge, Copied, CopyButton, Isolated, Link, Money, OrderStatusBadge, Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { OrderKeys } from './order-keys.tsx';
import { OrderState, toItems } from './order-state.tsx';
import { texts } from './texts.ts';

const ReturnDialog = lazyPart(async () => (await import('./after-sale.tsx')).ReturnDialog);
const ClaimDialog = lazyPart(async () => (await import('./after-sale.tsx')).ClaimDialog);

const FINAL: readonly (Order['status'] | undefined)[] = ['canceled', 'closed'];

export function OrderPage() {
  const orderId = usePathId();
  return <OrderView key={orderId} orderId={orderId} />;
}

function OrderView({ orderId }: { readonly orderId: string }) {
  const params = { orderId };
  const everyMs = (order?: Order) => (FINAL.includes(order?.status) ? undefined : 5000);
  const query = useRead('getOrder', { params }, { everyMs });
  const timeline = useRead('getOrderTimeline', { params }, { version: query.data }).data;
  // Nowhere else: they are forgotten with the page.
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <ThingPage
      query={query}
      missing="order"
      back={{ to: paths.orders, label: common.navigation.orders }}
      title={() => texts.orders.title(orderId)}
      mark={(order) => (
        <>
          <CopyButton text={orderId} what={texts.orders.id} /> <OrderState order={order} />
        </>
      )}
    >
      {(order) => (
        <Columns
          actions={<OrderActions order={order} timeline={timeline} codes={codes} />}
          beside={<Beside order={order} timeline={timeline} />}
        >
          <OrderKeys order={order} timeline={timeline} codes={codes} setCodes={setCodes} />
          <Items order={order} />
          <Section title={texts.orders.timeline}>
            {timeline === undefined ? null : <Timeline timeline={timeline} />}
            <Links orderId={orderId} />
          </Section>
        </Columns>
      )}
    </ThingPage>
  );
}

const isOpen = (until: string | null | undefined) => until != null && Date.parse(until) > Date.now();

function OrderActions(props: {
  readonly order: Order;
  readonly timeline: OrderTimeline | undefined;
  readonly codes: readonly string[] | undefined;
}) {
  const { order, timeline, codes } = props;
  const [item] = toItems(order);
  if (!useMay('buy') || item === undefined) return null;
  const left = item.quantity.invoiced - item.quantity.refunded;
  const ofOrder = { orderId: order.id, itemId: item.id };
  return (
    <Actions
      icon="orders"
      actions={[
        ...(isOpen(timeline?.returnableUntil) && left > 0
          ? [{ label: texts.returns.action, dialog: <ReturnDialog {...ofOrder} units={left} /> }]
          : []),
        ...(isOpen(timeline?.claimableUntil) && item.quantity.shipped > 0
          ? [{ label: texts.claims.action, dialog: <ClaimDialog {...ofOrder} codes={codes} /> }]
          : []),
      ]}
    />
  );
}

function Items({ order }: { readonly order: Order }) {
  const mayBuy = useMay('buy');
  const { currency } = order;
  return (
    <Section title={texts.orders.sum}>
      <ul>
        {toItems(order).map(({ id, product, quantity, price, totalPrice: sum, seller }) => (
          <li key={id} className="item">
            <Group justify="space-between" gap={16} wrap="nowrap">
              <strong>
                {mayBuy ? (
                  <Link to={paths.product(product.id)}>{product.name}</Link>
                ) : (
                  <Isolated>{product.name}</Isolated>
                )}
              </strong>
              <Money amount={sum} currency={currency} />
            </Group>
            <Text component="div" fz={13} c="dimmed">
              {quantity.ordered} × <Money amount={price} currency={currency} /> · {texts.orders.from}{' '}
              <Isolated>{seller.name ?? seller.id.slice(0, 8)}</Isolated>
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Beside({
  order,
  timeline,
}: {
  readonly order: Order;
  readonly timeline: OrderTimeline | undefined;
}) {
  const { discount, totalPrice, currency, reference, createdAt } = order;
  const until = (at: string | null | undefined) => (isOpen(at) && at != null ? <Time at={at} /> : null);
  return (
    <>
      <Facts
        title={common.money}
        isSum
        facts={{
          [common.discount]: /^0(\.0*)?$/.test(discount) ? null : `−${formatMoney(discount, currency)}`,
          [common.total]: <Money amount={totalPrice} currency={currency} />,
        }}
      />
      <Facts
        title={common.details}
        facts={{
          [common.reference]:
            reference === undefined ? null : <Copied text={reference} what={common.reference} />,
          [common.created]: <Time at={createdAt} />,
          [texts.orders.returnable]: until(timeline?.returnableUntil),
          [texts.orders.claimable]: until(timeline?.claimableUntil),
        }}
      />
    </>
  );
}

function Timeline({ timeline: { changes, refunds, keysReadAt } }: { readonly timeline: OrderTimeline }) {
  const moments = [
    ...changes.map(({ at, status }) => ({ at, mark: <OrderStatusBadge status={status} />, says: null })),
    ...refunds.map(({ at, amount }) => ({
      at,
      mark: <Badge look={['neutral', 'undo']}>{texts.orders.refunded}</Badge>,
      says: <Money amount={amount} />,
    })),
    ...(keysReadAt === null
      ? []
      : [
          {
            at: keysReadAt,
            mark: <Badge look={['neutral', 'key']}>{texts.keys.firstRead}</Badge>,
            says: null,
          },
        ]),
  ];
  return (
    <ol className="timeline">
      {moments
        .toSorted((one, other) => (one.at < other.at ? 1 : -1))
        .map(({ at, mark, says }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moments keep their places
          <li key={place}>
            <Time at={at} />
            <span>{mark}</span>
            <span>{says}</span>
          </li>
        ))}
    </ol>
  );
}

function Links({ orderId }: { readonly orderId: string }) {
  const mayDevelop = useMay('develop');
  return (
    <Text mt={8}>
      <Link to={paths.claims} search={{ orderId }}>
        {texts.orders.claims}
      </Link>
      {mayDevelop ? (
        <>
          {' · '}
          <Link to={paths.requests} search={{ orderId }}>
            {texts.orders.requests}
          </Link>
        </>
      ) : null}
    </Text>
  );
}
