import { findAccounts, findSellers } from '../catalogue/choices.ts';
import { ACCOUNT_COLUMN, ORDER_COLUMN, SELLER_COLUMN } from '../lists/columns.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter, TextFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { ASSIGNEE_FILTER, AssigneeFilter, useAssigneeColumn } from '../notes/assignee.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { useUrl } from '../url.ts';
import { ClaimStatus, type ListedClaim } from './claim-parts.tsx';

const FILTERS = ['query', 'status', 'reason', ASSIGNEE_FILTER, 'accountId', 'sellerId', 'orderId'];

const COLUMNS: readonly Column<ListedClaim>[] = [
  { title: texts.common.reason, render: ({ reason }) => texts.claims.reasons[reason] },
  { title: texts.common.product, render: ({ productName }) => productName, look: 'wide' },
  { title: texts.claims.keysTitle, render: ({ keys }) => keys.length, look: 'right' },
  { title: texts.common.status, render: ({ status }) => <ClaimStatus status={status} /> },
  ACCOUNT_COLUMN,
  SELLER_COLUMN,
  { ...ORDER_COLUMN, look: 'minor' },
  { title: texts.common.since, time: 'createdAt', look: 'right' },
];

export function ClaimsList() {
  const { status = 'open' } = useUrl().search;
  const isOpen = status === 'open';
  const { column, keys } = useAssigneeColumn<ListedClaim>('claim', (claim) => claim.status === 'open');
  const list = useList('listAllClaims', {
    filters: FILTERS,
    query: { status: status === 'all' ? undefined : status, sort: isOpen ? 'createdAt' : '-createdAt' },
    everyMs: 10_000,
  });
  return (
    <Page title={texts.navigation.claims}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.claims.search} placeholder={texts.claims.words} />
        <ChoiceFilter name="status" label={texts.common.status} choices={texts.claims.choices} isRequired />
        <ChoiceFilter name="reason" label={texts.common.reason} choices={texts.claims.reasons} />
        <AssigneeFilter />
        <TextFilter name="accountId" label={texts.common.account} find={findAccounts} />
        <TextFilter name="sellerId" label={texts.common.seller} find={findSellers} />
        <TextFilter name="orderId" label={texts.common.order} />
      </FilterBar>
      <List
        list={list}
        isLabelled
        label={texts.navigation.claims}
        columns={[...COLUMNS, column]}
        rowKeys={keys}
        rowPath={({ id }) => paths.claim(id)}
        icon="claims"
        none={isOpen ? texts.claims.empty : texts.table.noMatch(1)}
      />
    </Page>
  );
}
