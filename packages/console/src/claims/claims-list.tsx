import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths, useUrl } from '../url.ts';
import { ClaimStatus } from './claim-parts.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listAllClaims', {
  reason: common.claimReasons,
  keys: ({ keys }) => keys.length,
  status: ({ status }) => <ClaimStatus status={status} />,
});

export function ClaimsList() {
  const { status = 'open' } = useUrl().search;
  const isOpen = status === 'open';
  const list = useList('listAllClaims', {
    isFiltered: true,
    query: { status: status === 'all' ? undefined : status, sort: isOpen ? 'createdAt' : '-createdAt' },
    everyMs: 10_000,
  });
  return (
    <Page title={common.navigation.claims}>
      <List
        list={list}
        isLabelled
        label={common.navigation.claims}
        columns={COLUMNS}
        rowPath={({ id }) => paths.claim(id)}
        icon="claims"
        none={isOpen ? texts.empty : common.noMatch(1)}
      />
    </Page>
  );
}
