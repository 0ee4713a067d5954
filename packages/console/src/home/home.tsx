/** What needs somebody, then how business goes against the time before. */

import type { OperatorAnswer } from '@keyport/sdk/admin';
import { SegmentedControl } from '@mantine/core';
import { useAttention, useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { formatMoney } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { AttentionList } from './attention.tsx';
import { Bars } from './bars.tsx';
import { dayIn, PERIODS, type PeriodName, periodOf } from './periods.ts';

type Summary = OperatorAnswer<'getSummary'>;

const ATTENTION_MS = 15_000;
const SUMMARY_MS = 60_000;

export function Home() {
  const { search, setFilters } = useUrl();
  const attention = useAttention(ATTENTION_MS);
  const chosen = PERIODS.find((name) => name === search['period']) ?? 'today';
  return (
    <Page title={texts.home.title}>
      <Section title={texts.home.attention}>
        {attention.data !== undefined ? (
          <AttentionList attention={attention.data} />
        ) : attention.error === null ? (
          <Loading rows={3} />
        ) : (
          <Failure error={attention.error} retry={() => void attention.refetch()} />
        )}
      </Section>
      <div className="period">
        <h2>{texts.home.business}</h2>
        <SegmentedControl
          size="xs"
          aria-label={texts.home.period}
          value={chosen}
          data={PERIODS.map((value) => ({ value, label: texts.home.periods[value] }))}
          onChange={(period) => setFilters({ period: period === 'today' ? undefined : period })}
        />
      </div>
      <Business period={chosen} />
    </Page>
  );
}

function Business({ period }: { readonly period: PeriodName }) {
  const zone = useZone();
  const { bucket, current, before } = periodOf(period, zone, new Date());
  const now = useSummary(bucket, current);
  const then = useSummary(bucket, before);
  if (now.data === undefined) {
    return now.error === null ? <Loading /> : <Failure error={now.error} retry={() => void now.refetch()} />;
  }
  return (
    <>
      <Tiles now={now.data} then={then.data} />
      <p className="hint">{texts.home.inEur}</p>
      <div className="columns charts">
        <Section title={texts.home.ordersOverTime}>
          <Bars now={now.data} then={then.data} zone={zone} isByHour={period === 'today'} />
        </Section>
        <Section title={texts.home.rejections}>
          <Rejections
            summary={now.data}
            from={dayIn(bucket === 'day' ? 'UTC' : zone, new Date(current.from))}
          />
        </Section>
      </div>
    </>
  );
}

/** The end of the time before moves with the clock, so it does not name what is read. */
function useSummary(
  bucket: 'hour' | 'day',
  { from, to }: { readonly from: string; readonly to: string | undefined },
) {
  return useLive(
    ['summary', bucket, from, to === undefined],
    (client, signal) => client.getSummary({ query: { bucket, from, to } }, { signal }),
    { everyMs: SUMMARY_MS },
  );
}

function Tiles({ now, then }: { readonly now: Summary; readonly then: Summary | undefined }) {
  const { totals, currency } = now;
  const before = then?.totals;
  const tiles = [
    [texts.home.orders, totals.orders, before?.orders, String(totals.orders.toLocaleString())],
    [
      texts.home.turnover,
      Number(totals.turnover),
      Number(before?.turnover),
      formatMoney(totals.turnover, currency),
    ],
    [texts.home.units, totals.units, before?.units, totals.units.toLocaleString()],
    [
      texts.home.refunds,
      Number(totals.refunds),
      Number(before?.refunds),
      formatMoney(totals.refunds, currency),
    ],
    [texts.home.rejected, totals.rejections, before?.rejections, totals.rejections.toLocaleString()],
  ] as const;
  return (
    <dl className="tiles">
      {tiles.map(([title, value, earlier, shown]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{shown}</dd>
          <dd className="change">{changeOf(value, earlier)}</dd>
        </div>
      ))}
    </dl>
  );
}

function changeOf(value: number, before: number | undefined): string {
  if (before === undefined || Number.isNaN(before)) return ' ';
  if (before === 0) return value === 0 ? texts.home.same : texts.home.noneBefore;
  const percent = Math.round(((value - before) / before) * 100);
  return percent === 0 ? texts.home.same : texts.home.change(percent);
}

function Rejections({
  summary,
  from,
}: {
  readonly summary: Summary;
  /** The first day. */
  readonly from: string;
}) {
  const { rejectionsByCode } = summary.totals;
  const most = rejectionsByCode[0]?.count ?? 1;
  if (rejectionsByCode.length === 0) return <p className="hint">{texts.home.noRejections}</p>;
  return (
    <ul className="shares">
      {rejectionsByCode.map(({ code, count }) => (
        <li key={code}>
          <Link to={paths.rejections} search={{ code, from }} label={texts.home.rejectionsOf(code, count)}>
            <code>{code}</code>
          </Link>
          <span className="share" aria-hidden="true">
            <span style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <span className="right">{count.toLocaleString()}</span>
        </li>
      ))}
    </ul>
  );
}
