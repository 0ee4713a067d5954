import type { Order, OrderTimeline } from '@keyport/contract/orders/orders';
import { formatMinor, toMinor } from '@keyport/core/money';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Columns, Facts, Section, ThingPage, Warning } from '../ui/page.tsx';
import {
  Copied,
  CopyButton,
  Isolated,
  Link,
  type Look,
  Mark,
  Money,
  STATUS_LOOKS,
  Time,
} from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { ClaimStatus } from './claims.tsx';
import { OrderKeys, useCodes } from './order-keys.tsx';
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
  const [codes, setCodes] = useCodes();
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
          <Next status={order.status} />
          <OrderKeys order={order} timeline={timeline} codes={codes} setCodes={setCodes} />
          <Items order={order} />
          <Section title={texts.orders.timeline}>
            {timeline === undefined ? null : <Timeline timeline={timeline} />}
            <Links orderId={orderId} />
          </Section>
          <ClaimsOf orderId={orderId} />
        </Columns>
      )}
    </ThingPage>
  );
}

/** What happens next to an order that is not delivered yet. */
function Next({ status }: Pick<Order, 'status'>) {
  const says = { ...texts.orders.next }[status as keyof typeof texts.orders.next];
  return says === undefined ? null : <Warning icon="clock">{says}</Warning>;
}

function ClaimsOf({ orderId }: { readonly orderId: string }) {
  const { data } = useRead('listClaims', { query: { orderId } }, { everyMs: 15_000 });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title={common.navigation.claims}>
      <ul className="rows">
        {data.data.map(({ id, reason, status, createdAt }) => (
          <li key={id}>
            <Link to={paths.claim(id)}>{common.claimReasons[reason]}</Link> <ClaimStatus status={status} />
            <Time at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
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
        ...(timeline !== undefined && isOpen(timeline.returnableUntil) && left > 0
          ? [
              {
                label: texts.returns.action,
                dialog: <ReturnDialog {...{ order, item, timeline }} units={left} />,
              },
            ]
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
  const refundedMinor = timeline?.refunds.reduce((sum, { amount }) => sum + toMinor(amount), 0) ?? 0;
  const { data: account } = useRead('getOwnAccount', {});
  const money = (minor: number) => <Money amount={formatMinor(minor)} currency={currency} />;
  const discountMinor = toMinor(discount);
  const until = (at: string | null | undefined) => (isOpen(at) && at != null ? <Time at={at} /> : null);
  return (
    <>
      <Facts
        title={common.money}
        isSum
        facts={{
          [texts.orders.sum]: discountMinor === 0 ? null : money(toMinor(totalPrice) + discountMinor),
          [common.discount]: discountMinor === 0 ? null : money(-discountMinor),
          [common.total]: <Money amount={totalPrice} currency={currency} />,
          ...(refundedMinor > 0 && {
            [texts.orders.refunded]: money(-refundedMinor),
            [texts.orders.kept]: money(toMinor(totalPrice) - refundedMinor),
          }),
        }}
      />
      <Facts
        title={common.details}
        facts={{
          [common.reference]:
            reference === undefined ? null : <Copied text={reference} what={common.reference} />,
          [common.created]: <Time at={createdAt} />,
          [texts.orders.returnable]: until(timeline?.returnableUntil),
          [texts.orders.returns]: account?.returnWindowHours === 0 ? texts.orders.noReturns : null,
          [texts.orders.claimable]: until(timeline?.claimableUntil),
        }}
      />
    </>
  );
}

function Timeline({ timeline: { changes, refunds, keysReadAt } }: { readonly timeline: OrderTimeline }) {
  // A full refund is also the change to the status Refunded.
  const other = changes.filter(({ status }) => status !== 'closed' || refunds.length === 0);
  const moments: readonly { readonly at: string; readonly look: Look; readonly what: ReactNode }[] = [
    ...other.map(({ at, status }) => ({ at, look: STATUS_LOOKS[status], what: common.statuses[status] })),
    ...refunds.map(({ at, amount }) => ({
      at,
      look: ['done', 'undo'] as const,
      what: (
        <>
          {texts.orders.refunded} <Money amount={amount} />
        </>
      ),
    })),
    ...(keysReadAt === null
      ? []
      : [{ at: keysReadAt, look: ['neutral', 'key'] as const, what: texts.keys.firstRead }]),
  ];
  return (
    <ol className="timeline">
      {moments
        .toSorted((one, other) => (one.at < other.at ? 1 : -1))
        .map(({ at, look, what }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moments keep their places
          <li key={place}>
            <Mark look={look} size={24} />
            <strong>{what}</strong>
            <Time at={at} />
          </li>
        ))}
    </ol>
  );
}

function Links({ orderId }: { readonly orderId: string }) {
  if (!useMay('develop')) return null;
  return (
    <Text component="div" mt={8}>
      <Link to={paths.requests} search={{ orderId }}>
        {texts.orders.requests}
      </Link>
      {' · '}
      <Link to={paths.webhooks} search={{ orderId }}>
        {texts.orders.deliveries}
      </Link>
    </Text>
  );
}
