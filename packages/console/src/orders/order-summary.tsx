/** What an order is and what happened to it: on its page, in the panel beside the list, and in the queue of held orders. */
import { Alert } from '@mantine/core';
import { isMissing } from '../api/queries.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { CopyButton, Money, ShortId, Time } from '../ui/values.tsx';
import { type OrderWithLog, useAccountOf, useAuditOf, useOrder, useOrderKeys } from './order-data.ts';
import { OrderKeys } from './order-keys.tsx';
import { Timeline } from './timeline.tsx';

export function OrderSummary({ orderId }: { readonly orderId: string }) {
  const { data: order, error, refetch } = useOrder(orderId);
  const approvals = useWaitingApprovals({ orderId });
  const isWhole = useIsWhole(order);
  if (order === undefined || approvals === undefined || !isWhole) {
    if (error === null) return <Loading />;
    if (isMissing(error)) return <Empty icon="search">{texts.states.notFound('order')}</Empty>;
    return <Failure error={error} retry={() => void refetch()} />;
  }
  return (
    <div className="order">
      <WaitingApprovals approvals={approvals} />
      {order.status === 'held' && order.holdReason !== null ? (
        <Alert className="held-reason" icon={<Icon name="held" />}>
          {texts.order.heldBecause(order.holdReason)}
        </Alert>
      ) : null}
      {order.imported ? (
        <Alert className="held-reason" icon={<Icon name="imports" />}>
          {texts.orderActions.imported}
        </Alert>
      ) : null}
      <Section title={texts.order.items}>
        <Items order={order} />
      </Section>
      <div className="columns">
        <Section title={texts.order.money}>
          <MoneyFacts order={order} />
        </Section>
        <Section title={texts.order.account}>
          <AccountFacts order={order} />
        </Section>
        {order.traceId === null ? null : (
          <Section title={texts.order.request}>
            <Facts
              facts={[
                [
                  texts.states.trace,
                  <ShortId key="trace" id={order.traceId} what={texts.states.trace.toLowerCase()} />,
                ],
              ]}
            />
          </Section>
        )}
      </div>
      <Section title={texts.order.timeline}>
        <Timeline order={order} />
      </Section>
    </div>
  );
}

/** A part that came later would move what is shown, so all parts come together. */
function useIsWhole(order: OrderWithLog | undefined): boolean {
  const parts = [useOrderKeys(order), useAccountOf(order), useAuditOf(order?.id)];
  return parts.every(({ data, error }) => data !== undefined || error !== null);
}

function Items({ order }: { readonly order: OrderWithLog }) {
  const { currency } = order;
  return (
    <ul className="items">
      {(order.transactions ?? []).flatMap(({ seller, items }) =>
        items.map(({ id, product, offer, quantity, totalPrice, price }) => (
          <li key={id}>
            <div className="item-head">
              <Link to={paths.product(product.id)}>
                <strong>{product.name}</strong>
              </Link>
              <Money amount={totalPrice} currency={currency} />
            </div>
            <div className="item-more">
              {texts.order.seller(seller.name ?? seller.id.slice(0, 8))} · {texts.order.unitPrice}{' '}
              <Money amount={price} currency={currency} /> · {texts.order.offer}{' '}
              <Link to={paths.offer(offer.id)}>
                <code>{offer.id.slice(0, 8)}</code>
              </Link>{' '}
              <CopyButton text={offer.id} what={texts.order.offer} />
            </div>
            <dl className="quantities">
              {(['ordered', 'invoiced', 'shipped', 'refunded'] as const).map((name) => (
                <div key={name}>
                  <dt>{name === 'invoiced' ? texts.order.paid : texts.order[name]}</dt>
                  <dd>{quantity[name]}</dd>
                </div>
              ))}
            </dl>
            <OrderKeys order={order} itemId={id} />
          </li>
        )),
      )}
    </ul>
  );
}

function MoneyFacts({ order }: { readonly order: OrderWithLog }) {
  const { discount, totalPrice, currency, refunds } = order;
  return (
    <Facts
      facts={[
        [texts.order.discount, <Money key="discount" amount={discount} currency={currency} />],
        [texts.order.total, <Money key="total" amount={totalPrice} currency={currency} />],
        ...refunds.map(
          ({ at, amount }) =>
            [
              texts.order.refund,
              <span key={at}>
                <Time at={at} /> · <Money amount={amount} />
              </span>,
            ] as const,
        ),
      ]}
    />
  );
}

function AccountFacts({ order }: { readonly order: OrderWithLog }) {
  const { data: account } = useAccountOf(order);
  return (
    <Facts
      facts={[
        [
          texts.orders.account,
          <Link key="link" to={paths.account(order.accountId)}>
            {order.accountName}
          </Link>,
        ],
        ...(account === undefined
          ? []
          : ([
              [texts.order.balance, <Money key="balance" amount={account.balance} />],
              [texts.order.customerSince, <Time key="since" at={account.createdAt} />],
            ] as const)),
        [
          texts.order.otherOrders,
          <Link key="orders" to={paths.orders} search={{ accountId: order.accountId }}>
            {texts.order.showOrders}
          </Link>,
        ],
      ]}
    />
  );
}
