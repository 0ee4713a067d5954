/** What an order is and what happened to it: on its page, and in the panel beside the list. */
import { Alert } from '@mantine/core';
import { isMissing } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { CopyButton, Money, OrderStatusBadge, ShortId, Time } from '../ui/values.tsx';
import { type OrderWithLog, useOrder } from './order-data.ts';

export function OrderSummary({ orderId }: { readonly orderId: string }) {
  const { data: order, error, refetch } = useOrder(orderId);
  if (order === undefined) {
    if (error === null) return <Loading />;
    if (isMissing(error)) return <Empty icon="search">{texts.states.notFound('order')}</Empty>;
    return <Failure error={error} retry={() => void refetch()} />;
  }
  return (
    <div className="order">
      {order.status === 'held' && order.holdReason !== null ? (
        <Alert className="held-reason" icon={<Icon name="held" />}>
          {texts.order.heldBecause(order.holdReason)}
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
          <Facts
            facts={[
              [
                texts.orders.account,
                <Link key="link" to={paths.account(order.accountId)}>
                  {order.accountName}
                </Link>,
              ],
              [texts.orders.created, <Time key="time" at={order.createdAt} />],
              [
                texts.orders.order,
                <span key="id">
                  {order.id} <CopyButton text={order.id} what={texts.orders.order} />
                </span>,
              ],
            ]}
          />
        </Section>
      </div>
      <Section title={texts.order.timeline}>
        <Timeline order={order} />
      </Section>
    </div>
  );
}

function Items({ order }: { readonly order: OrderWithLog }) {
  return (
    <ul className="items">
      {(order.transactions ?? []).flatMap(({ seller, items }) =>
        items.map(({ id, product, offer, quantity, totalPrice, price }) => (
          <li key={id}>
            <div className="item-head">
              <strong>{product.name}</strong>
              <Money amount={totalPrice} currency={order.currency} />
            </div>
            <div className="item-more">
              {texts.order.seller(seller.name ?? seller.id.slice(0, 8))} ·{' '}
              <ShortId id={offer.id} what="offer id" /> · <Money amount={price} currency={order.currency} />
            </div>
            <dl className="quantities">
              {(['ordered', 'invoiced', 'shipped', 'refunded'] as const).map((name) => (
                <div key={name}>
                  <dt>{name === 'invoiced' ? texts.order.paid : texts.order[name]}</dt>
                  <dd>{quantity[name]}</dd>
                </div>
              ))}
            </dl>
          </li>
        )),
      )}
    </ul>
  );
}

function MoneyFacts({ order }: { readonly order: OrderWithLog }) {
  const { discount, totalPrice, currency } = order;
  return (
    <Facts
      facts={[
        [texts.order.discount, <Money key="discount" amount={discount} currency={currency} />],
        [texts.order.total, <Money key="total" amount={totalPrice} currency={currency} />],
      ]}
    />
  );
}

function Timeline({ order }: { readonly order: OrderWithLog }) {
  return (
    <ol className="timeline">
      {order.statusLog.toReversed().map(({ from, to, at, actor, reason }) => (
        <li key={`${at} ${to}`}>
          <Time at={at} />
          <OrderStatusBadge status={to} />
          <span>
            {from === null ? null : `${texts.order.statusChange(texts.statuses[from], texts.statuses[to])}, `}
            {actor}: {reason}
          </span>
        </li>
      ))}
    </ol>
  );
}
