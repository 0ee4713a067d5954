import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { ASSIGNEE_FILTER, AssigneeFilter, useAssigneeColumn } from '../notes/assignee.tsx';
import { texts } from '../texts.ts';
import { Empty, Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { paths, useUrl } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';

type Approval = OperatorElement<'listApprovals'>;

const FILTERS = ['status', ASSIGNEE_FILTER];

const COLUMNS: readonly Column<Approval>[] = [
  { title: 'Request', render: ({ operation }) => texts.approvals.operations[operation] },
  { title: 'Amount', money: 'amount', look: 'right' },
  { title: 'Status', render: ({ status }) => <ApprovalStatus status={status} /> },
  { title: 'About', render: (approval) => <ApprovalSubject {...approval} />, look: 'minor' },
  { title: 'Requested by', render: ({ requestedBy }) => <Person id={requestedBy} /> },
  { title: 'Reason', render: ({ reason }) => reason ?? '–', look: 'minor' },
  { title: 'Requested', time: 'requestedAt', look: 'right' },
];

export function ApprovalsList() {
  const { status = 'pending' } = useUrl().search;
  const list = useList('listApprovals', {
    filters: FILTERS,
    query: { status: status === 'all' ? undefined : status },
    everyMs: 10_000,
  });
  const { column, keys } = useAssigneeColumn<Approval>('approval', (one) => one.status === 'pending');
  const none =
    status === 'pending'
      ? 'Nothing waits for approval. Refunds, deposits, corrections and payouts above the limit appear here.'
      : texts.table.noMatch(1);
  return (
    <Page title="Approvals">
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="status" label="Status" choices={texts.approvals.choices} isRequired />
        <AssigneeFilter />
      </FilterBar>
      <List
        list={list}
        label="Approvals"
        columns={[...COLUMNS, column]}
        rowKeys={keys}
        rowPath={({ id }) => paths.approval(id)}
        icon="approvals"
        none={none}
        empty={<Empty icon="approvals">{none}</Empty>}
      />
    </Page>
  );
}
