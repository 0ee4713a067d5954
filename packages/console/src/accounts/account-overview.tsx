/** What an account may and has, and its latest orders. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { OrderState } from '../orders/order-state.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import type { Account } from './account-data.ts';

type Order = OperatorElement<'listAllOrders'>;

/** The fewest that a page may have. */
const LATEST_ORDERS = 10 as const;
const LIVE_MS = 10_000;

export function AccountOverview({ account }: { readonly account: Account }) {
  return (
    <>
      <div className="columns">
        <Section title={texts.account.money}>
          <MoneyFacts account={account} />
        </Section>
        <Section title={texts.account.limits}>
          <LimitFacts account={account} />
        </Section>
        <Section title={texts.account.details}>
          <DetailFacts account={account} />
        </Section>
      </div>
      <Section title={texts.account.latestOrders}>
        <LatestOrders account={account} />
      </Section>
    </>
  );
}

function MoneyFacts({ account }: { readonly account: Account }) {
  const { balance, balanceLowThreshold, paymentMethod, gatewayCustomer, discountPercent } = account;
  return (
    <Facts
      facts={[
        [
          texts.accounts.balance,
          <strong key="balance">
            <Money amount={balance} />
          </strong>,
        ],
        [
          texts.account.low,
          balanceLowThreshold === null ? (
            texts.account.never
          ) : (
            <Money key="low" amount={balanceLowThreshold} />
          ),
        ],
        [texts.accounts.paymentMethod, texts.accounts.paymentMethods[paymentMethod ?? 'none']],
        ...(gatewayCustomer === null ? [] : [[texts.account.gatewayCustomer, gatewayCustomer] as const]),
        [texts.accounts.discount, texts.accounts.percent(discountPercent)],
      ]}
    />
  );
}

function LimitFacts({ account: { limits, usedToday } }: { readonly account: Account }) {
  return (
    <Facts
      facts={[
        [
          texts.account.orderValueMax,
          limits.orderValueMax === null ? (
            texts.account.noLimit
          ) : (
            <Money key="value" amount={limits.orderValueMax} />
          ),
        ],
        [
          texts.account.spendToday,
          <span key="spend">
            <Money amount={usedToday.spend} />
            {limits.dailySpendMax === null ? texts.account.unlimited : texts.account.of}
            {limits.dailySpendMax === null ? null : <Money amount={limits.dailySpendMax} />}
          </span>,
        ],
        [
          texts.account.unitsToday,
          limits.dailyUnitsMax === null
            ? `${usedToday.units}${texts.account.unlimited}`
            : `${usedToday.units}${texts.account.of}${limits.dailyUnitsMax}`,
        ],
      ]}
    />
  );
}

function DetailFacts({ account }: { readonly account: Account }) {
  const { id, holdOrders, sellerId, createdAt } = account;
  return (
    <Facts
      facts={[
        [texts.account.id, <ShortId key="id" id={id} what={texts.account.id} />],
        [texts.accounts.created, <Time key="created" at={createdAt} />],
        [texts.account.holdOrders, texts.account.holds(holdOrders)],
        ...(sellerId === null
          ? []
          : [
              [
                texts.account.seller,
                <Link key="seller" to={paths.offers} search={{ sellerId }}>
                  <code>{sellerId.slice(0, 8)}</code>
                </Link>,
              ] as const,
            ]),
      ]}
    />
  );
}

const COLUMNS: readonly Column<Order>[] = [
  { title: texts.orders.order, render: ({ id }) => <OrderId id={id} /> },
  { title: texts.orders.status, render: (order) => <OrderState order={order} /> },
  {
    title: texts.orders.total,
    render: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
    isRight: true,
  },
  { title: texts.orders.created, render: ({ createdAt }) => <Time at={createdAt} />, isRight: true },
];

function LatestOrders({ account }: { readonly account: Account }) {
  const query = { accountId: account.id, itemsPerPage: LATEST_ORDERS };
  const result = useLive(['orders', query], (client, signal) => client.listAllOrders({ query }, { signal }), {
    everyMs: LIVE_MS,
  });
  return (
    <>
      <DataTable
        label={texts.account.latestOrders}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.order(id)}
        empty={<Empty icon="orders">{texts.account.noOrders}</Empty>}
      />
      <p className="more">
        {result.data?.data.length === LATEST_ORDERS ? (
          <>
            <Link to={paths.orders} search={{ accountId: account.id }}>
              {texts.account.allOrders}
            </Link>
            {' · '}
          </>
        ) : null}
        <Link to={paths.rejections} search={{ accountId: account.id }}>
          {texts.rejections.ofAccount}
        </Link>
      </p>
    </>
  );
}
