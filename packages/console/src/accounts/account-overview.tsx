import { Text } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { LatestClaims } from '../claims/claim-parts.tsx';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { Timeline, toAuditMoment } from '../notes/timeline.tsx';
import { OrderState } from '../orders/order-state.tsx';
import { common, formatMoney } from '../texts.ts';
import { Columns, Empty, Facts, Section } from '../ui/page.tsx';
import { Link, Money, OrderLink, ShortId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import type { Account } from './account-data.tsx';
import { texts } from './texts.ts';

/** The API's smallest page size. */
const LATEST_ORDERS = 10 as const;
const LATEST_ACTIONS = 20;

export function AccountOverview({ account }: { readonly account: Account }) {
  return (
    <Columns
      beside={
        <>
          <div className="first">
            <MoneyFacts account={account} />
          </div>
          <LimitFacts account={account} />
          <DetailFacts account={account} />
        </>
      }
    >
      <Section title={texts.account.latestOrders}>
        <LatestOrders account={account} />
      </Section>
      <LatestClaims subject={{ accountId: account.id }} />
      <AccountTimeline account={account} />
    </Columns>
  );
}

/** The timeline has what people did to the account and its orders. The audit log has the reads of keys, too. */
function AccountTimeline({ account: { id, name } }: { readonly account: Account }) {
  const query = { accountId: id, actionsOnly: true, limit: LATEST_ACTIONS } as const;
  const { data } = useRead('listAudit', { query }, { everyMs: 15_000 });
  const entries = (data?.data ?? []).filter(({ action }) => action !== 'note.create');
  return (
    <Timeline
      subject={`account:${id}`}
      moments={entries.map((entry) =>
        toAuditMoment(entry, name, entry.orderId && <OrderLink id={entry.orderId} />),
      )}
    />
  );
}

function MoneyFacts({ account }: { readonly account: Account }) {
  const { balance, balanceLowThreshold, paymentMethod, gatewayCustomer, discountPercent } = account;
  return (
    <Facts
      title={common.money}
      facts={{
        [common.balance]: (
          <strong>
            <Money amount={balance} />
          </strong>
        ),
        [texts.account.low]:
          balanceLowThreshold === null ? texts.account.never : <Money amount={balanceLowThreshold} />,
        [texts.accounts.paymentMethod]: texts.accounts.paymentMethods[paymentMethod ?? 'none'],
        [texts.account.gatewayCustomer]: gatewayCustomer,
        [common.discount]: texts.accounts.percent(discountPercent),
      }}
    />
  );
}

function LimitFacts({ account: { limits, usedToday } }: { readonly account: Account }) {
  const { orderValueMax, dailySpendMax, dailyUnitsMax, reservedUnitsMax } = limits;
  const { ofLimit } = texts.account;
  return (
    <Facts
      title={texts.account.limits}
      facts={{
        [texts.account.orderValueMax]:
          orderValueMax === null ? texts.account.noLimit : <Money amount={orderValueMax} />,
        [texts.account.spendToday]:
          formatMoney(usedToday.spend) + ofLimit(dailySpendMax && formatMoney(dailySpendMax)),
        [texts.account.unitsToday]:
          usedToday.units + ofLimit(dailyUnitsMax === null ? null : String(dailyUnitsMax)),
        [texts.account.reservedUnitsMax]: texts.account.reservedAtMost(reservedUnitsMax),
      }}
    />
  );
}

function DetailFacts({ account }: { readonly account: Account }) {
  const { id, holdOrders, returnWindowHours, claimWindowHours, sellerId, createdAt } = account;
  return (
    <Facts
      title={common.details}
      facts={{
        [texts.account.id]: <ShortId id={id} what={texts.account.id} />,
        [common.created]: <Time at={createdAt} />,
        [common.navigation.orders]: texts.account.holds(holdOrders),
        [texts.account.returns]: texts.account.returnsFor(returnWindowHours),
        [common.navigation.claims]: texts.account.claimsFor(claimWindowHours),
        [common.seller]:
          sellerId === null ? null : (
            <Link to={paths.seller(sellerId)}>
              <code>{sellerId.slice(0, 8)}</code>
            </Link>
          ),
      }}
    />
  );
}

const COLUMNS = toColumns('listAllOrders', { status: (order) => <OrderState order={order} /> }, [
  'id',
  'status',
  'totalPrice',
  'createdAt',
]);

function LatestOrders({ account }: { readonly account: Account }) {
  const query = { accountId: account.id, itemsPerPage: LATEST_ORDERS };
  const result = useRead('listAllOrders', { query }, { everyMs: 10_000 });
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
      <Text component="div" mt={8}>
        {result.data?.data.length === LATEST_ORDERS ? (
          <>
            <Link to={paths.orders} search={{ accountId: account.id }}>
              {texts.account.allOrders}
            </Link>
            {' · '}
          </>
        ) : null}
        <Link to={paths.rejections} search={{ accountId: account.id }}>
          {texts.account.rejectedOrders}
        </Link>
      </Text>
    </>
  );
}
