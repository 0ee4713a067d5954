import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Box, Group, Text } from '@mantine/core';
import { useAttention } from '../api/admin.ts';
import { useLive } from '../api/queries.ts';
import { dayIn } from '../lists/days.ts';
import type { Search } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { common, formatCount, formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Loaded, Page, Section } from '../ui/page.tsx';
import { Presets } from '../ui/presets.tsx';
import { type Tile, Tiles, toChange } from '../ui/tiles.tsx';
import { Link } from '../ui/values.tsx';
import { paths, useGo, useUrl } from '../url.ts';
import { AttentionList } from './attention.tsx';
import { Bars, type Compared, FIGURES, type Figure, group, isMoney } from './bars.tsx';
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
  const firstDay = dayIn(zone, new Date(current.from));
  const days = zone === ownZone ? undefined : 'utc';
  const { search, setFilters } = useUrl();
  const go = useGo();
  const figure = NAMES.find((name) => name === search['figure']) ?? 'orders';
  return (
    <Loaded query={now}>
      {(summary) => (
        <>
          <Figures
            now={summary}
            then={then.data}
            zone={zone}
            isByHour={isByHour}
            toTarget={(name) => ({ to: TARGETS[name].to, search: toSearch(name, { from: firstDay, days }) })}
          />
          <Hint>
            {texts.home.compared[period]} {zone === ownZone ? '' : texts.home.utcDays} {texts.home.inEur}
          </Hint>
          <div className="charts">
            <Section title={texts.home.overTime}>
              <Presets
                label={texts.home.figure}
                choices={FIGURES}
                chosen={figure}
                onChoose={(next) => setFilters({ figure: next === 'orders' ? undefined : next })}
              />
              <Bars
                now={summary}
                then={then.data}
                zone={zone}
                isByHour={isByHour}
                figure={figure}
                onChoose={(day) => go(TARGETS[figure].to, toSearch(figure, { from: day, to: day, days }))}
              />
            </Section>
            <Section title={texts.home.rejections}>
              <Rejections summary={summary} from={{ from: firstDay, days }} />
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

/** Where the orders of a figure are. */
const TARGETS: Readonly<Record<Figure, Target>> = {
  orders: { to: paths.orders },
  turnover: { to: paths.reports, isUtc: true },
  units: { to: paths.reports, search: { by: 'product' }, isUtc: true },
  refunds: { to: paths.orders, search: { refunded: 'true' } },
  rejections: { to: paths.rejections },
};
const NAMES = Object.keys(TARGETS) as Figure[];

type Target = { readonly to: string; readonly search?: Search; readonly isUtc?: boolean };

/** Reports have UTC days only. */
function toSearch(figure: Figure, { days, ...range }: Search): Search {
  const { search, isUtc = false } = TARGETS[figure];
  return { ...search, ...range, ...(isUtc ? {} : { days }) };
}

type FiguresProps = Compared & { readonly toTarget: (figure: Figure) => Target };

function Figures({ now, then, zone, isByHour, toTarget }: FiguresProps) {
  const { totals, currency } = now;
  const tiles = NAMES.map((name): Tile => {
    const bars = group(now, zone, isByHour, name);
    const values = bars.map(({ value }) => value);
    const most = bars[values.indexOf(Math.max(...values))];
    return {
      title: FIGURES[name],
      shown: isMoney(name) ? formatMoney(String(totals[name]), currency) : formatCount(Number(totals[name])),
      more: toChange(Number(totals[name]), then && Number(then.totals[name])),
      target: toTarget(name),
      course: { values, slots: isByHour ? 24 : bars.length, label: texts.home.course(most?.title ?? '') },
    };
  });
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
            {code}
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
