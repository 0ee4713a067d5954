import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { paths, useUrl } from '../url.ts';
import { ClaimStatus } from './claim-parts.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listAllClaims', {
  reason: common.claimReasons,
  keys: ({ keys }) => keys.length,
  status: ({ status }) => <ClaimStatus status={status} />,
});

export function ClaimsList() {
  const isOpen = useUrl().search['status'] === undefined;
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
    />
  );
}
