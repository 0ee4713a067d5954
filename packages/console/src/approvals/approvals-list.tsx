import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Person } from '../ui/person.tsx';
import { paths } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listApprovals', {
  operation: texts.operations,
  status: ({ status }) => <ApprovalStatus status={status} />,
  accountId: (approval) => <ApprovalSubject {...approval} />,
  requestedBy: ({ requestedBy }) => <Person id={requestedBy} />,
});

export function ApprovalsList() {
  const list = useList('listApprovals', { isFiltered: true, everyMs: 10_000 });
  return (
    <ListPage
      title={common.navigation.approvals}
      list={list}
      columns={COLUMNS}
      rowPath={({ id }) => paths.approval(id)}
      icon="approvals"
      none={texts.empty}
    />
  );
}
