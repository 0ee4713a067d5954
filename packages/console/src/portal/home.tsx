import type { PortalSession } from '@keyport/contract/accounts/members';
import { formatMinor, toMinor } from '@keyport/core/money';
import { Group } from '@mantine/core';
import { SERVICE_URL } from '../api/place.ts';
import { type Answer, useRead } from '../api/queries.ts';
import { hasWayIn, useMay, useSession } from '../api/session.ts';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { common, formatCount, formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { type Matter, Matters } from '../ui/matters.tsx';
import { Empty, Failure, Loaded, Loading, Page, Section } from '../ui/page.tsx';
import { Tiles } from '../ui/tiles.tsx';
import { Badge, type Look } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { ORDER_CELLS } from './order-state.tsx';
import { texts } from './texts.ts';

type Account = Answer<'getOwnAccount'>;

const words = texts.home;
const EVERY_MS = { everyMs: 15_000 };
const LATEST = 10;

export function Home() {
  const account = useRead('getOwnAccount', {}, EVERY_MS);
  const [mayBuy, mayDevelop] = [useMay('buy'), useMay('develop')];
  return (
    <Page
      title={account.data?.name ?? common.navigation.home}
      mark={account.data && (mayBuy || mayDevelop) ? <Status account={account.data} /> : undefined}
    >
      <Loaded query={account} rows={3}>
        {(data) => (
          <>
            <Tiles areAlike tiles={mayBuy || mayDevelop ? toTiles(data) : [balanceTile(data)]} />
            <TopUp account={data} />
            <Attention account={data} />
            <Happened />
          </>
        )}
      </Loaded>
      {mayDevelop ? <Help /> : null}
    </Page>
  );
}

function Help() {
  return (
    <Section title={words.help}>
      <Group gap={16}>
        {[
          [words.guide, '/docs/guide'],
          [words.reference, '/docs'],
          [words.checkup, '/docs/checkup'],
        ].map(([title, path]) => (
          <a key={path} href={SERVICE_URL + path}>
            {title}
          </a>
        ))}
      </Group>
    </Section>
  );
}

function TopUp({ account: { paymentMethod, status } }: { readonly account: Account }) {
  const { topUpNote = words.topUp } = useSession<PortalSession>();
  return paymentMethod === 'balance' && status === 'active' ? (
    <Hint mt={-8} mb={16}>
      {topUpNote}
    </Hint>
  ) : null;
}

const balanceTile = ({ balance, paymentMethod }: Account) => ({
  title: common.balance,
  shown: paymentMethod === 'gateway' ? words.card : formatMoney(balance),
  more: words.openStatement,
  target: { to: paths.statement },
});

function toTiles(account: Account) {
  const { dailySpendMax, dailyUnitsMax, orderValueMax } = account.limits;
  const { spend, units } = toLeft(account);
  return [
    balanceTile(account),
    {
      title: words.leftToday,
      shown: spend === undefined ? words.noLimit : formatMoney(formatMinor(spend)),
      more: dailySpendMax == null ? null : words.ofLimit(formatMoney(dailySpendMax)),
    },
    ...(units === undefined
      ? []
      : [
          {
            title: words.unitsLeft,
            shown: formatCount(units),
            more: words.ofLimit(formatCount(dailyUnitsMax ?? 0)),
          },
        ]),
    ...(orderValueMax == null
      ? []
      : [{ title: words.perOrder, shown: formatMoney(orderValueMax), more: null }]),
  ];
}

/** The rest of today's limits; undefined: there is no limit. */
function toLeft({ limits: { dailySpendMax, dailyUnitsMax }, usedToday }: Account) {
  return {
    spend: dailySpendMax == null ? undefined : Math.max(0, toMinor(dailySpendMax) - toMinor(usedToday.spend)),
    units: dailyUnitsMax == null ? undefined : Math.max(0, dailyUnitsMax - usedToday.units),
  };
}

/** Whether the account can buy, and if not, why. */
function Status({ account }: { readonly account: Account }) {
  const { spend, units } = toLeft(account);
  const [look, status] = toStatus(account, spend === 0 || units === 0);
  return <Badge look={look}>{status}</Badge>;
}

function toStatus({ status, paymentMethod, balance }: Account, isUsedUp: boolean): [Look, string] {
  const { statuses } = words;
  if (status !== 'active') return [['bad', 'lock'], statuses[status]];
  if (paymentMethod === null) return [['bad', 'cross'], statuses.unpaid];
  if (paymentMethod === 'balance' && toMinor(balance) === 0) return [['warn', 'alert'], statuses.empty];
  if (isUsedUp) return [['warn', 'alert'], statuses.usedUp];
  return [['good', 'check'], statuses.active];
}

function Attention({ account }: { readonly account: Account }) {
  const hasWay = hasWayIn(useSession<PortalSession>());
  const { balance, balanceLowThreshold } = account;
  const count = (status: 'held' | 'pending_payment') => ({ query: { status, itemsPerPage: 10 } }) as const;
  const mayDevelop = useMay('develop');
  const heldOrders = useRead('listOrders', count('held'), EVERY_MS);
  const unpaidOrders = useRead('listOrders', count('pending_payment'), EVERY_MS);
  const openOnes = useRead('listClaims', { query: { status: 'open', limit: LATEST } }, EVERY_MS);
  const ownEndpoints = useRead('listWebhookEndpoints', {}, { ...EVERY_MS, enabled: mayDevelop });
  const missing = [heldOrders, unpaidOrders, openOnes, ...(mayDevelop ? [ownEndpoints] : [])].filter(
    ({ data }) => data === undefined,
  );
  const failed = missing.filter(({ error }) => error !== null);
  const held = heldOrders.data?.meta.totalResults ?? 0;
  const unpaid = unpaidOrders.data?.meta.totalResults ?? 0;
  const claims = openOnes.data;
  const endpoints = ownEndpoints.data;
  const { matters: said } = texts;
  const isLow = balanceLowThreshold !== null && toMinor(balance) < toMinor(balanceLowThreshold);
  const openClaims = claims?.data.length ?? 0;
  const matters: readonly (Omit<Matter, 'action'> | false)[] = [
    isLow && {
      key: 'low',
      look: ['bad', 'finance'],
      what: said.low(formatMoney(balanceLowThreshold)),
      to: paths.statement,
    },
    ...(endpoints ?? []).map(({ id, url, status, failingSince, disabledReason }) => {
      const isBad = status === 'disabled' ? disabledReason !== undefined : failingSince !== undefined;
      return (
        isBad && {
          key: id,
          look: ['bad', 'webhooks'] as const,
          what: status === 'disabled' ? said.disabled(url) : said.failing(url),
          more: disabledReason,
          to: paths.webhooks,
          search: { endpoint: id },
        }
      );
    }),
    held > 0 && {
      key: 'held',
      look: ['warn', 'held'],
      what: said.held(held),
      to: paths.orders,
      search: { status: 'held' },
    },
    unpaid > 0 && {
      key: 'unpaid',
      look: ['warn', 'clock'],
      what: said.unpaid(unpaid),
      to: paths.orders,
      search: { status: 'pending_payment' },
    },
    openClaims > 0 && {
      key: 'claims',
      look: ['warn', 'claims'],
      what: said.claims(`${openClaims}${claims?.meta.hasMore ? '+' : ''}`),
      to: paths.claims,
      search: { status: 'open' },
    },
    !hasWay && {
      key: 'password',
      look: ['info', 'key'],
      what: said.password,
      more: said.linkWorksOnce,
      to: paths.profile,
    },
  ];
  const shown = matters.flatMap((matter) =>
    matter === false ? [] : { ...matter, action: matter.key === 'password' ? said.setPassword : said.open },
  );
  return (
    <Section title={words.attention}>
      {failed.length > 0 ? (
        <Failure error={failed[0]?.error} retry={() => Promise.all(failed.map(({ refetch }) => refetch()))} />
      ) : null}
      {shown.length > 0 || missing.length === 0 ? <Matters none={words.nothing} matters={shown} /> : null}
      {missing.length > failed.length ? <Loading rows={1} /> : null}
    </Section>
  );
}

const COLUMNS = toColumns('listOrders', ORDER_CELLS, ['id', 'status', 'product', 'totalPrice', 'createdAt']);

function Happened() {
  const spend = useRead('listOwnSpend', {}, EVERY_MS);
  const latest = useRead('listOrders', { query: { itemsPerPage: LATEST } }, EVERY_MS);
  const today = new Date().toISOString().slice(0, 10);
  const orders = (days: Answer<'listOwnSpend'>) =>
    formatCount(days.reduce((sum, day) => sum + day.orders, 0));
  const paid = (days: Answer<'listOwnSpend'>) =>
    formatMoney(
      formatMinor(days.reduce((sum, day) => sum + toMinor(day.charged) - toMinor(day.refunded), 0)),
    );
  const ofToday = (days: Answer<'listOwnSpend'>) => days.filter(({ date }) => date === today);
  return (
    <>
      <Section title={words.happened}>
        <Loaded query={spend} rows={2}>
          {(days) => (
            <Tiles
              areAlike
              tiles={[
                {
                  title: words.ordersToday,
                  shown: orders(ofToday(days)),
                  more: words.utcDay,
                  target: { to: paths.orders, search: { from: today, days: 'utc' } },
                },
                { title: words.spendToday, shown: paid(ofToday(days)), more: words.utcDays },
                {
                  title: words.orders30,
                  shown: orders(days),
                  more: words.utcDay,
                  target: { to: paths.orders },
                },
                { title: words.spend30, shown: paid(days), more: words.utcDays },
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Section title={words.latest}>
        <DataTable
          isLabelled
          label={words.latest}
          columns={COLUMNS}
          query={latest}
          rows={latest.data?.data.slice(0, 5)}
          rowKey={({ id }) => id}
          rowPath={({ id }) => paths.order(id)}
          empty={<Empty icon="orders">{texts.orders.empty}</Empty>}
        />
      </Section>
    </>
  );
}
