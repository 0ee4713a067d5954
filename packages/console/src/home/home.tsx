import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Box, Group, Text } from '@mantine/core';
import { useAttention } from '../api/admin.ts';
import { useLive } from '../api/queries.ts';
import { SinceLast } from '../incidents/since-last.tsx';
import { dayIn } from '../lists/days.ts';
import type { Search } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { common, formatCount } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Loaded, Page, Section } from '../ui/page.tsx';
import { Presets } from '../ui/presets.tsx';
import { Tiles } from '../ui/tiles.tsx';
import { formatMoney, Link } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { AttentionList } from './attention.tsx';
import { Bars, type Compared, type Figure, group } from './bars.tsx';
import { PERIODS, type PeriodName, type Times, toPeriod } from './periods.ts';
import { texts } from './texts.ts';

type Summary = OperatorAnswer<'getSummary'>;

export function Home() {
  const { search, setFilters } = useUrl();
  const attention = useAttention(15_000);
  const chosen = PERIODS.find((name) => name === search['period']) ?? 'today';
  return (
    <Page title={common.navigation.home}>
      <Section title={texts.home.attention}>
        <Loaded query={attention} rows={3}>
          {(data) => <AttentionList attention={data} />}
        </Loaded>
      </Section>
      {/* Hidden until the list above is loaded, since the list would push it down. */}
      <div hidden={attention.data === undefined && attention.error === null}>
        <SinceLast />
        <Group justify="space-between" mb={8}>
          <h2>{texts.home.business}</h2>
          <Presets
            label={texts.home.period}
            choices={texts.home.periods}
            chosen={chosen}
            onChoose={(period) => setFilters({ period: period === 'today' ? undefined : period })}
          />
        </Group>
        <Business period={chosen} />
      </div>
    </Page>
  );
}

function Business({ period }: { readonly period: PeriodName }) {
  const ownZone = useZone();
  const { bucket, zone, current, before } = toPeriod(period, ownZone, new Date());
  const isByHour = period === 'today';
  const now = useSummary(bucket, current);
  const then = useSummary(bucket, before);
  const firstDay = {
    from: dayIn(zone, new Date(current.from)),
    days: zone === ownZone ? undefined : 'utc',
  };
  return (
    <Loaded query={now}>
      {(summary) => (
        <>
          <Figures now={summary} then={then.data} zone={zone} isByHour={isByHour} />
          <Hint>
            {texts.home.compared[period]} {zone === ownZone ? '' : texts.home.utcDays} {texts.home.inEur}
          </Hint>
          <div className="charts">
            <Section title={texts.home.ordersOverTime}>
              <Bars now={summary} then={then.data} zone={zone} isByHour={isByHour} />
            </Section>
            <Section title={texts.home.rejections}>
              <Rejections summary={summary} from={firstDay} />
            </Section>
          </div>
        </>
      )}
    </Loaded>
  );
}

/** The end of the previous period moves with the clock, so it is not part of the key. */
function useSummary(bucket: 'hour' | 'day', { from, to }: Times) {
  return useLive(
    ['summary', bucket, from, to === undefined],
    (client, signal) => client.call('getSummary', { query: { bucket, from, to } }, { signal }),
    { everyMs: 60_000 },
  );
}

function Figures({ now, then, zone, isByHour }: Compared) {
  const { totals, currency } = now;
  const before = then?.totals;
  const toCourse = (name: Figure, isMoney: boolean) => {
    const bars = group(now, zone, isByHour, name);
    const values = bars.map(({ value }) => value);
    const most = Math.max(...values);
    const at = bars[values.indexOf(most)]?.label ?? '';
    const shown = isMoney ? formatMoney(most.toFixed(2), currency) : formatCount(most);
    const label = texts.home.course(at, shown);
    return { values, slots: isByHour ? 24 : bars.length, label };
  };
  const count = (name: 'orders' | 'units' | 'rejections') =>
    [totals[name], before?.[name], formatCount(totals[name]), toCourse(name, false)] as const;
  const sum = (name: 'turnover' | 'refunds') =>
    [
      Number(totals[name]),
      Number(before?.[name]),
      formatMoney(totals[name], currency),
      toCourse(name, true),
    ] as const;
  const tiles = [
    [common.navigation.orders, ...count('orders')],
    [common.turnover, ...sum('turnover')],
    [common.units, ...count('units')],
    [texts.home.refunds, ...sum('refunds')],
    [common.rejectedOrders, ...count('rejections')],
  ] as const;
  return <Tiles tiles={tiles} />;
}

/** `from`: the filter of the list that begins at the first day. */
function Rejections({ summary, from }: { readonly summary: Summary; readonly from: Search }) {
  const { rejectionsByCode } = summary.totals;
  const most = rejectionsByCode[0]?.count ?? 1;
  if (rejectionsByCode.length === 0) return <Hint>{texts.home.noRejections}</Hint>;
  return (
    <ul className="rows">
      {rejectionsByCode.map(({ code, count }) => (
        <li key={code}>
          <Link
            to={paths.rejections}
            className="grow"
            search={{ code, ...from }}
            label={texts.home.findRejections(code, count)}
          >
            <code>{code}</code>
          </Link>
          <Box component="span" className="share" w={80} aria-hidden="true">
            <span style={{ width: `${(count / most) * 100}%` }} />
          </Box>
          <Text span w={48} ta="right">
            {formatCount(count)}
          </Text>
        </li>
      ))}
    </ul>
  );
}
