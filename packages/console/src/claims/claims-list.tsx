import { findAccounts, findSellers } from '../catalogue/choices.ts';
import { toColumns } from '../lists/columns.tsx';
import { ChoiceFilter, SearchFilter, TextFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths, useUrl } from '../url.ts';
import { ClaimStatus } from './claim-parts.tsx';
import { texts } from './texts.ts';

const FILTERS = ['query', 'status', 'reason', 'accountId', 'sellerId', 'orderId'];

const COLUMNS = toColumns('listAllClaims', {
  reason: common.claimReasons,
  keys: ({ keys }) => keys.length,
  status: ({ status }) => <ClaimStatus status={status} />,
});

export function ClaimsList() {
  const { status = 'open' } = useUrl().search;
  const isOpen = status === 'open';
  const list = useList('listAllClaims', {
    filters: FILTERS,
    query: { status: status === 'all' ? undefined : status, sort: isOpen ? 'createdAt' : '-createdAt' },
    everyMs: 10_000,
  });
  return (
    <Page title={common.navigation.claims}>
      <List
        list={list}
        filters={
          <>
            <SearchFilter name="query" label={texts.search} placeholder={texts.words} />
            <ChoiceFilter name="status" label={common.status} choices={texts.choices} isRequired />
            <ChoiceFilter name="reason" label={common.reason} choices={common.claimReasons} />
            <TextFilter name="accountId" label={common.account} find={findAccounts} />
            <TextFilter name="sellerId" label={common.seller} find={findSellers} />
            <TextFilter name="orderId" label={common.order} />
          </>
        }
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
