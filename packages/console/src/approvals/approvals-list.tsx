/** Writes that wait for a second person, and those that did. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Empty } from '../ui/states.tsx';
import { Money, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';

type Approval = OperatorElement<'listApprovals'>;

const FILTERS = ['status'];
const LIVE_MS = 10_000;

const COLUMNS: readonly Column<Approval>[] = [
  { title: texts.approvals.what, render: ({ operation }) => texts.approvals.operations[operation] },
  { title: texts.approvals.amount, render: ({ amount }) => <Money amount={amount} />, isRight: true },
  { title: texts.approvals.status, render: ({ status }) => <ApprovalStatus status={status} /> },
  {
    title: texts.approvals.about,
    render: (approval) => <ApprovalSubject approval={approval} />,
    isMinor: true,
  },
  { title: texts.approvals.requestedBy, render: ({ requestedBy }) => <Person id={requestedBy} /> },
  { title: texts.approvals.reason, render: ({ reason }) => reason ?? '–', isMinor: true },
  {
    title: texts.approvals.requestedAt,
    render: ({ requestedAt }) => <Time at={requestedAt} />,
    isRight: true,
  },
];

export function ApprovalsList() {
  const { search } = useUrl();
  const { status = 'pending', cursor } = search;
  const query = { status: status === 'all' ? undefined : status, cursor, limit: 50 };
  const result = useLive(
    ['approvals', query],
    (client, signal) => client.listApprovals({ query: query as never }, { signal }),
    { everyMs: cursor === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  return (
    <Page title={texts.approvals.title}>
      <FilterBar names={FILTERS}>
        <ChoiceFilter
          name="status"
          label={texts.approvals.status}
          choices={texts.approvals.choices}
          isRequired
        />
      </FilterBar>
      <DataTable
        label={texts.approvals.title}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.approval(id)}
        pager={pager}
        empty={
          <Empty icon="approvals">
            {status === 'pending' ? texts.approvals.empty : texts.table.noMatch(1)}
          </Empty>
        }
      />
    </Page>
  );
}
