import { Button } from '@mantine/core';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Person } from '../ui/person.tsx';
import { paths, useSelection, useUrl } from '../url.ts';
import { ApprovalStatus, ApprovalSubject } from './approval-parts.tsx';
import { texts } from './texts.ts';

const BulkApprove = lazyPart(async () => (await import('./bulk-approve.tsx')).BulkApprove);
const NAMES = ['reject', 'approve'] as const;

const COLUMNS = toColumns('listApprovals', {
  operation: texts.operations,
  status: ({ status }) => <ApprovalStatus status={status} />,
  accountId: (approval) => <ApprovalSubject {...approval} />,
  requestedBy: ({ requestedBy }) => <Person id={requestedBy} />,
});

export function ApprovalsList() {
  const isWaiting = useUrl().search['status'] === undefined;
  const selection = useSelection();
  const may = useMay('approve');
  const list = useList('listApprovals', { isFiltered: true, everyMs: 10_000 });
  return (
    <ListPage
      title={common.navigation.approvals}
      list={list}
      columns={COLUMNS}
      rowPath={({ id }) => paths.approval(id)}
      icon="approvals"
      none={texts.empty}
      {...(may && isWaiting ? { selection } : {})}
      bulk={({ ids, keep }) =>
        NAMES.map((name) => (
          <Button
            key={name}
            variant={name === 'approve' ? 'filled' : 'default'}
            onClick={() => openDialog(<BulkApprove name={name} ids={ids} onFailed={keep} />)}
          >
            {name === 'approve' ? texts.approve : texts.reject.label}…
          </Button>
        ))
      }
    />
  );
}
