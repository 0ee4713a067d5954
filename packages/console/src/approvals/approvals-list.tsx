import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Empty, Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { paths, useUrl } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listApprovals', {
  operation: texts.operations,
  status: ({ status }) => <ApprovalStatus status={status} />,
  accountId: (approval) => <ApprovalSubject {...approval} />,
  requestedBy: ({ requestedBy }) => <Person id={requestedBy} />,
});

export function ApprovalsList() {
  const { status = 'pending' } = useUrl().search;
  const list = useList('listApprovals', {
    isFiltered: true,
    query: { status: status === 'all' ? undefined : status },
    everyMs: 10_000,
  });
  const none = status === 'pending' ? texts.empty : common.noMatch(1);
  return (
    <Page title={common.navigation.approvals}>
      <List
        list={list}
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
