import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Empty, Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { paths, useUrl } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';
import { texts } from './texts.ts';

type Approval = OperatorElement<'listApprovals'>;

const FILTERS = ['status'];

const COLUMNS: readonly Column<Approval>[] = [
  { title: common.request, render: ({ operation }) => texts.operations[operation] },
  { title: common.amount, money: 'amount', look: 'right' },
  { title: common.status, render: ({ status }) => <ApprovalStatus status={status} /> },
  { title: common.about, render: (approval) => <ApprovalSubject {...approval} />, look: 'minor' },
  { title: texts.requestedBy, render: ({ requestedBy }) => <Person id={requestedBy} /> },
  { title: common.reason, render: ({ reason }) => reason ?? '–', look: 'minor' },
  { title: common.requested, time: 'requestedAt', look: 'right' },
];

export function ApprovalsList() {
  const { status = 'pending' } = useUrl().search;
  const list = useList('listApprovals', {
    filters: FILTERS,
    query: { status: status === 'all' ? undefined : status },
    everyMs: 10_000,
  });
  const none = status === 'pending' ? texts.empty : common.noMatch(1);
  return (
    <Page title={common.navigation.approvals}>
      <List
        list={list}
        filters={<ChoiceFilter name="status" label={common.status} choices={texts.choices} isRequired />}
        label={common.navigation.approvals}
        columns={COLUMNS}
        rowPath={({ id }) => paths.approval(id)}
        icon="approvals"
        none={none}
        empty={<Empty icon="approvals">{none}</Empty>}
      />
    </Page>
  );
}
