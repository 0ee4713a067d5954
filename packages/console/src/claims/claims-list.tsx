import { Button } from '@mantine/core';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { paths, useSelection, useUrl } from '../url.ts';
import { ClaimStatus } from './claim-parts.tsx';
import { texts } from './texts.ts';

const BulkDecide = lazyPart(async () => (await import('./bulk-decide.tsx')).BulkDecide);

const COLUMNS = toColumns('listAllClaims', {
  reason: common.claimReasons,
  keys: ({ keys }) => keys.length,
  status: ({ status }) => <ClaimStatus status={status} />,
});

export function ClaimsList() {
  const isOpen = useUrl().search['status'] === undefined;
  const selection = useSelection();
  const may = useMay('orders');
  const list = useList('listAllClaims', {
    isFiltered: true,
    sortedBy: isOpen ? 'createdAt' : '-createdAt',
    everyMs: 10_000,
  });
  return (
    <ListPage
      title={common.navigation.claims}
      list={list}
      isLabelled
      columns={COLUMNS}
      rowPath={({ id }) => paths.claim(id)}
      icon="claims"
      none={texts.empty}
      {...(may && isOpen ? { selection } : {})}
      bulk={({ ids, keep }) => (
        <Button variant="filled" onClick={() => openDialog(<BulkDecide ids={ids} onFailed={keep} />)}>
          {texts.decide}…
        </Button>
      )}
    />
  );
}
