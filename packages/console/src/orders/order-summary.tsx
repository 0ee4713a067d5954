import { Group, SimpleGrid, Text } from '@mantine/core';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { LatestClaims } from '../claims/claim-parts.tsx';
import { Notes, useNotes } from '../notes/notes.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Facts, Loaded, Section, Warning } from '../ui/page.tsx';
import { Copied, CopyButton, Isolated, Link, Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import {
  type OrderWithLog,
  useAccountOf,
  useAuditOf,
  useOrder,
  useOrderKeys,
  useOtherOrders,
} from './order-data.ts';
import { OrderKeys } from './order-keys.tsx';
import { OrderState } from './order-state.tsx';
import { texts } from './texts.ts';
import { Timeline } from './timeline.tsx';

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
    <div>
      <WaitingApprovals approvals={approvals} />
      {order.status === 'held' && order.holdReason !== null ? (
        <Warning icon="held">{texts.order.heldBecause(order.holdReason)}</Warning>
      ) : null}
      {order.imported ? <Warning icon="imports">{texts.orderActions.imported}</Warning> : null}
      <Section title={texts.order.items}>
        <Items order={order} />
      </Section>
      <SimpleGrid minColWidth={260}>
        <MoneyFacts order={order} />
        <AccountFacts order={order} />
        <Facts
          title={common.request}
          facts={{
            [common.created]: <Time at={order.createdAt} />,
            [common.traceId]: order.traceId && <ShortId id={order.traceId} what={texts.order.traceId} />,
          }}
        />
      </SimpleGrid>
      <LatestClaims subject={{ orderId: order.id }} />
      <Section title={texts.order.timeline}>
        <Timeline order={order} />
      </Section>
      <Notes subject={`order:${order.id}`} />
      <OtherOrders order={order} />
    </div>
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
              {texts.order.from} <Isolated>{seller.name ?? seller.id.slice(0, 8)}</Isolated> ·{' '}
              {texts.order.unitPrice} <Money amount={price} currency={currency} /> · {texts.order.offer}{' '}
              <Link to={paths.offer(offer.id)}>
                <code>{offer.id.slice(0, 8)}</code>
              </Link>{' '}
              <CopyButton text={offer.id} what={texts.order.offer} />
            </Text>
            <Group component="dl" gap="4px 20px" mt={8}>
              {(['ordered', 'invoiced', 'shipped', 'refunded'] as const).map((name) => (
                <div key={name}>
                  <dt>{name === 'invoiced' ? texts.order.paid : texts.order[name]}</dt>
                  <dd>{quantity[name]}</dd>
                </div>
              ))}
            </Group>
            <OrderKeys order={order} itemId={id} />
          </li>
        )),
      )}
    </ul>
  );
}

function MoneyFacts({ order }: { readonly order: OrderWithLog }) {
  const { discount, totalPrice, currency, refunds } = order;
  const refunded = ({ at, amount }: (typeof refunds)[number]) => (
    <span key={at}>
      <Time at={at} /> · <Money amount={amount} />
    </span>
  );
  return (
    <Facts
      title={common.money}
      facts={[
        [common.discount, <Money key="discount" amount={discount} currency={currency} />],
        [common.total, <Money key="total" amount={totalPrice} currency={currency} />],
        ...refunds.map((refund) => [texts.order.refund, refunded(refund)] as const),
      ]}
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
        <Text mt={8}>
          <Link to={paths.orders} search={{ accountId: order.accountId }}>
            {texts.order.showOrders}
          </Link>
        </Text>
      )}
    </Section>
  );
}
