/** Every movement of the prepaid balance, and the file of it. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { DaysFilter, dayEnd, dayStart, FilterBar } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { Facts } from '../ui/page.tsx';
import { EmptyList } from '../ui/states.tsx';
import { Money, OrderId, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import type { Account } from './account-data.ts';

type Line = OperatorElement<'getStatement'>;

const FILTERS = ['from', 'to'];
const LIVE_MS = 10_000;

const COLUMNS: readonly Column<Line>[] = [
  { title: texts.statement.number, render: ({ number }) => number, isMinor: true },
  { title: texts.statement.time, render: ({ createdAt }) => <Time at={createdAt} /> },
  { title: texts.statement.kind, render: ({ kind }) => texts.statement.kinds[kind] },
  { title: texts.statement.about, render: (line) => <About line={line} /> },
  { title: texts.statement.amount, render: ({ amount }) => <Money amount={amount} />, isRight: true },
  { title: texts.statement.balance, render: ({ balance }) => <Money amount={balance} />, isRight: true },
];

export function Statement({ account }: { readonly account: Account }) {
  const { search } = useUrl();
  const zone = useZone();
  const { from, to, page } = search;
  const range = { createdAtFrom: dayStart(from, zone), createdAtTo: dayEnd(to, zone) };
  const query = {
    ...range,
    sort: 'DESC' as const,
    page: page === undefined ? undefined : Number(page),
    itemsPerPage: 50,
  };
  const params = { accountId: account.id };
  const result = useLive(
    ['statement', account.id, query],
    (client, signal) => client.getStatement({ params, query: query as never }, { signal }),
    { everyMs: page === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  const { summary } = result.data ?? {};
  return (
    <>
      <FilterBar names={FILTERS}>
        <DaysFilter />
        <DownloadButton
          label={texts.statement.download}
          path={`/admin/v1/accounts/${account.id}/statement`}
          query={range}
          fileName={`statement-${account.id}.csv`}
        />
      </FilterBar>
      {summary === undefined ? null : (
        <div className="columns figures">
          <Facts
            facts={[
              [texts.statement.opening, <Money key="opening" amount={summary.openingBalance} />],
              [texts.statement.closing, <Money key="closing" amount={summary.closingBalance} />],
            ]}
          />
          <Facts
            facts={Object.entries(summary.sums).map(([kind, sum]) => [
              texts.statement.sums[kind as keyof typeof summary.sums],
              <Money key={kind} amount={sum} />,
            ])}
          />
        </div>
      )}
      <DataTable
        isLabelled
        label={texts.statement.title}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={pager}
        empty={<EmptyList icon="finance" filters={FILTERS} pager={pager} none={texts.statement.empty} />}
      />
    </>
  );
}

function About({ line: { orderId, reference, reason } }: { readonly line: Line }) {
  if (orderId !== undefined) {
    return (
      <Link to={paths.order(orderId)}>
        <OrderId id={orderId} />
      </Link>
    );
  }
  const text = [reference, reason].filter((part) => part !== undefined).join(': ');
  return <span title={text}>{text}</span>;
}
