import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { ASSIGNEE_FILTER, AssigneeFilter, useAssigneeColumn } from '../notes/assignee.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Empty } from '../ui/states.tsx';
import { useUrl } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';

type Approval = OperatorElement<'listApprovals'>;

const FILTERS = ['status', ASSIGNEE_FILTER];

const COLUMNS: readonly Column<Approval>[] = [
  { title: texts.common.request, render: ({ operation }) => texts.approvals.operations[operation] },
  { title: texts.common.amount, money: 'amount', look: 'right' },
  { title: texts.common.status, render: ({ status }) => <ApprovalStatus status={status} /> },
  {
    title: texts.common.about,
    render: (approval) => <ApprovalSubject {...approval} />,
    look: 'minor',
  },
  { title: texts.approvals.requestedBy, render: ({ requestedBy }) => <Person id={requestedBy} /> },
  { title: texts.common.reason, render: ({ reason }) => reason ?? '–', look: 'minor' },
  { title: texts.common.requested, time: 'requestedAt', look: 'right' },
];

export function ApprovalsList() {
  const { status = 'pending' } = useUrl().search;
  const list = useList('listApprovals', {
    filters: FILTERS,
    query: { status: status === 'all' ? undefined : status },
    everyMs: 10_000,
  });
  const { column, keys } = useAssigneeColumn<Approval>('approval', (one) => one.status === 'pending');
  const none = status === 'pending' ? texts.approvals.empty : texts.table.noMatch(1);
  return (
    <Page title={texts.navigation.approvals}>
      <FilterBar names={FILTERS}>
        <ChoiceFilter
          name="status"
          label={texts.common.status}
          choices={texts.approvals.choices}
          isRequired
        />
        <AssigneeFilter />
      </FilterBar>
      <List
        list={list}
        label={texts.navigation.approvals}
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
