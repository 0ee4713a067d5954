import { Group, Text } from '@mantine/core';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { LatestClaims } from '../claims/claim-parts.tsx';
import { useNotes } from '../notes/timeline.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Columns, Facts, Loaded, Section, Warning } from '../ui/page.tsx';
import { Copied, CopyButton, Isolated, Link, Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import { wordReason } from '../ui/wording.ts';
import { paths } from '../url.ts';
import { OrderActions } from './order-actions.tsx';
import {
  computeSum,
  type OrderWithLog,
  type toItems,
  useAccountOf,
  useAuditOf,
  useOrder,
  useOrderKeys,
  useOtherOrders,
} from './order-data.ts';
import { OrderKeys } from './order-keys.tsx';
import { OrderState } from './order-state.tsx';
import { texts } from './texts.ts';
import { OrderTimeline, SERVICE } from './timeline.tsx';

export function OrderSummary({ orderId }: { readonly orderId: string }) {
  const query = useOrder(orderId);
  const approvals = useWaitingApprovals({ orderId });
  const isWhole = useIsWhole(orderId, query.data);
  const isReady = query.data === undefined || (approvals !== undefined && isWhole);
  return (
    <Loaded query={isReady ? query : { ...query, data: undefined }} missing="order">
      {(order) => <Summary order={order} approvals={approvals} />}
    </Loaded>
  );
}

type SummaryProps = { readonly order: OrderWithLog } & Parameters<typeof WaitingApprovals>[0];

function Summary({ order, approvals }: SummaryProps) {
  return (
    <Columns actions={<OrderActions order={order} />} beside={<Beside order={order} />}>
      <WaitingApprovals approvals={approvals} />
      {order.status === 'held' ? <Warning icon="held">{whyHeld(order)}</Warning> : null}
      {order.imported ? <Warning icon="imports">{texts.orderActions.imported}</Warning> : null}
      <Section title={texts.order.items}>
        <Items order={order} />
      </Section>
      <LatestClaims subject={{ orderId: order.id }} />
      <OrderTimeline order={order} />
      <OtherOrders order={order} />
    </Columns>
  );
}

/** The rule or the person that holds it, and the reason. */
function whyHeld({ holdReason, statusLog }: OrderWithLog): string {
  if (holdReason === null || holdReason.trim() === '') return texts.order.heldWithoutReason;
  const { actor, actorName } = statusLog.findLast(({ to }) => to === 'held') ?? { actor: SERVICE };
  return actor === SERVICE
    ? texts.order.heldBecause(wordReason(holdReason))
    : texts.order.heldBy(actorName ?? actor, holdReason);
}

function Beside({ order }: { readonly order: OrderWithLog }) {
  return (
    <>
      <div className="first">
        <MoneyFacts order={order} />
      </div>
      <AccountFacts order={order} />
      <Facts
        title={common.details}
        facts={{
          [common.created]: <Time at={order.createdAt} />,
          [common.traceId]: order.traceId && <ShortId id={order.traceId} what={common.traceId} />,
        }}
      />
    </>
  );
}

/** A late part would move the others, so all parts appear together. */
function useIsWhole(orderId: string, order: OrderWithLog | undefined): boolean {
  const notes = useNotes(`order:${orderId}`);
  const parts = [
    useOrderKeys(order),
    useAccountOf(order),
    useAuditOf(order?.id),
    useOtherOrders(order),
    notes,
  ];
  return parts.every(({ data, error }) => data !== undefined || error !== null);
}

type Quantity = ReturnType<typeof toItems>[number]['quantity'];

function Items({ order }: { readonly order: OrderWithLog }) {
  const { currency } = order;
  return (
    <ul>
      {(order.transactions ?? []).flatMap(({ seller, items }) =>
        items.map(({ id, product, offer, quantity, totalPrice, price }) => (
          <li key={id} className="item">
            <Group justify="space-between" gap={16} wrap="nowrap">
              <Link to={paths.product(product.id)}>
                <strong>
                  <Isolated>{product.name}</Isolated>
                </strong>
              </Link>
              <Money amount={totalPrice} currency={currency} />
            </Group>
            <Text component="div" fz={13} c="dimmed">
              {quantity.ordered} × <Money amount={price} currency={currency} /> ·{' '}
              <Isolated>{seller.name ?? seller.id.slice(0, 8)}</Isolated> ·{' '}
              <Link to={paths.offer(offer.id)}>{texts.order.offer}</Link>{' '}
              <CopyButton text={offer.id} what={texts.order.offer} />
            </Text>
            <Progress quantity={quantity} />
            <OrderKeys order={order} itemId={id} />
          </li>
        )),
      )}
    </ul>
  );
}

/** Names the units that were not paid or delivered, and those that were refunded. */
function Progress({ quantity }: { readonly quantity: Quantity }) {
  const { ordered, invoiced, shipped, refunded } = quantity;
  const parts = [
    ...(invoiced < ordered ? [texts.order.paid(invoiced, ordered)] : []),
    ...(shipped < ordered ? [texts.order.delivered(shipped, ordered)] : []),
    ...(refunded > 0 ? [texts.order.refunded(refunded, ordered)] : []),
  ];
  return parts.length === 0 ? null : <Text fz={13}>{parts.join(' · ')}</Text>;
}

function MoneyFacts({ order }: { readonly order: OrderWithLog }) {
  const { discount, totalPrice, currency, refunds } = order;
  const refunded = computeSum(refunds.map(({ amount }) => amount));
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const isDiscounted = Number(discount) !== 0;
  return (
    <Facts
      title={common.money}
      isSum
      facts={{
        [texts.order.items]: isDiscounted ? money(computeSum([totalPrice, discount])) : null,
        [common.discount]: isDiscounted ? money(`-${discount}`) : null,
        [common.total]: money(totalPrice),
        [texts.order.refund]: refunds.length === 0 ? null : money(`-${refunded}`),
        [texts.order.kept]: refunds.length === 0 ? null : money(computeSum([totalPrice, `-${refunded}`])),
      }}
    />
  );
}

function AccountFacts({ order }: { readonly order: OrderWithLog }) {
  const { accountId, accountName, reference } = order;
  const { data: account } = useAccountOf(order);
  return (
    <Facts
      title={common.account}
      facts={{
        [common.account]: <Link to={paths.account(accountId)}>{accountName}</Link>,
        [common.reference]:
          reference === undefined ? null : <Copied text={reference} what={common.reference} />,
        [common.balance]: account ? <Money amount={account.balance} /> : null,
        [texts.order.customerSince]: account ? <Time at={account.createdAt} /> : null,
      }}
    />
  );
}

function OtherOrders({ order }: { readonly order: OrderWithLog }) {
  const { data = [], error } = useOtherOrders(order);
  return (
    <Section title={texts.order.otherOrders}>
      {error === null && data.length === 0 ? <Hint>{texts.order.noOthers}</Hint> : null}
      <ul className="rows">
        {data.map((other) => (
          <li key={other.id}>
            <Link to={paths.order(other.id)}>
              <OrderId id={other.id} />
            </Link>
            <span className="grow">
              <Money amount={other.totalPrice} currency={other.currency} /> · <Time at={other.createdAt} />
            </span>
            <span>
              <OrderState order={other} />
            </span>
          </li>
        ))}
      </ul>
      {data.length === 0 ? null : (
        <Text component="div" mt={8}>
          <Link to={paths.orders} search={{ accountId: order.accountId }}>
            {texts.order.showOrders}
          </Link>
        </Text>
      )}
    </Section>
  );
}
