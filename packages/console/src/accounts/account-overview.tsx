import type { OperatorElement } from '@keyport/sdk/admin';
import { useRead } from '../api/queries.ts';
import { LatestClaims } from '../claims/claim-parts.tsx';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { Notes } from '../notes/notes.tsx';
import { OrderState } from '../orders/order-state.tsx';
import { plural, texts } from '../texts.ts';
import { Empty, Facts, Section } from '../ui/page.tsx';
import { formatMoney, Link, Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import type { Account } from './account-data.tsx';

type Order = OperatorElement<'listAllOrders'>;

/** The fewest that a page may have. */
const LATEST_ORDERS = 10 as const;
export function AccountOverview({ account }: { readonly account: Account }) {
  return (
    <>
      <div className="columns">
        <MoneyFacts account={account} />
        <LimitFacts account={account} />
        <DetailFacts account={account} />
      </div>
      <LatestClaims subject={{ accountId: account.id }} />
      <Notes subject={`account:${account.id}`} />
      <Section title="Latest orders">
        <LatestOrders account={account} />
      </Section>
    </>
  );
}

function MoneyFacts({ account }: { readonly account: Account }) {
  const { balance, balanceLowThreshold, paymentMethod, gatewayCustomer, discountPercent } = account;
  return (
    <Facts
      title="Money"
      facts={{
        Balance: (
          <strong>
            <Money amount={balance} />
          </strong>
        ),
        'Low balance below': balanceLowThreshold === null ? 'Never' : <Money amount={balanceLowThreshold} />,
        'Pays by': texts.accounts.paymentMethods[paymentMethod ?? 'none'],
        'Customer at the provider': gatewayCustomer,
        Discount: texts.accounts.percent(discountPercent),
      }}
    />
  );
}

function LimitFacts({ account: { limits, usedToday } }: { readonly account: Account }) {
  const { orderValueMax, dailySpendMax, dailyUnitsMax, reservedUnitsMax } = limits;
  const ofLimit = (limit: string | null) => (limit === null ? ', no limit' : ` of ${limit}`);
  return (
    <Facts
      title="Limits"
      facts={{
        'Per order': orderValueMax === null ? 'No limit' : <Money amount={orderValueMax} />,
        'Spent this UTC day':
          formatMoney(usedToday.spend) + ofLimit(dailySpendMax && formatMoney(dailySpendMax)),
        'Units this UTC day':
          usedToday.units + ofLimit(dailyUnitsMax === null ? null : String(dailyUnitsMax)),
        'Reserved units':
          reservedUnitsMax === 0 ? 'Not offered' : `${plural(reservedUnitsMax, 'unit')} at a time`,
      }}
    />
  );
}

function DetailFacts({ account }: { readonly account: Account }) {
  const { id, holdOrders, returnWindowHours, claimWindowHours, sellerId, createdAt } = account;
  return (
    <Facts
      title="Details"
      facts={{
        'Account id': <ShortId id={id} what="Account id" />,
        Created: <Time at={createdAt} />,
        Orders: holdOrders ? 'All held for review' : 'Released immediately',
        Returns:
          returnWindowHours === 0 ? 'Not offered' : `Unread keys, ${plural(returnWindowHours, 'hour')}`,
        Claims: claimWindowHours === 0 ? 'Not offered' : `Faulty keys, ${plural(claimWindowHours, 'hour')}`,
        Seller:
          sellerId === null ? null : (
            <Link to={paths.seller(sellerId)}>
              <code>{sellerId.slice(0, 8)}</code>
            </Link>
          ),
      }}
    />
  );
}

const COLUMNS: readonly Column<Order>[] = [
  { title: 'Order', render: ({ id }) => <OrderId id={id} /> },
  { title: 'Status', render: (order) => <OrderState order={order} /> },
  {
    title: 'Total',
    render: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
    look: 'right',
  },
  { title: 'Created', time: 'createdAt', look: 'right' },
];

function LatestOrders({ account }: { readonly account: Account }) {
  const query = { accountId: account.id, itemsPerPage: LATEST_ORDERS };
  const result = useRead('listAllOrders', { query }, { everyMs: 10_000 });
  return (
    <>
      <DataTable
        label="Latest orders"
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.order(id)}
        empty={<Empty icon="orders">This account has not ordered yet.</Empty>}
      />
      <p className="more">
        {result.data?.data.length === LATEST_ORDERS ? (
          <>
            <Link to={paths.orders} search={{ accountId: account.id }}>
              All orders of this account
            </Link>
            {' · '}
          </>
        ) : null}
        <Link to={paths.rejections} search={{ accountId: account.id }}>
          Rejected orders of this account
        </Link>
      </p>
    </>
  );
}
