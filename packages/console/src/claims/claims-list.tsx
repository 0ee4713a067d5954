import { findAccounts, findSellers } from '../catalogue/choices.ts';
import { ACCOUNT_COLUMN, ORDER_COLUMN, SELLER_COLUMN } from '../lists/columns.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter, TextFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { ASSIGNEE_FILTER, AssigneeFilter, useAssigneeColumn } from '../notes/assignee.tsx';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths, useUrl } from '../url.ts';
import { ClaimStatus, type ListedClaim } from './claim-parts.tsx';

const FILTERS = ['query', 'status', 'reason', ASSIGNEE_FILTER, 'accountId', 'sellerId', 'orderId'];

const COLUMNS: readonly Column<ListedClaim>[] = [
  { title: 'Reason', render: ({ reason }) => texts.claims.reasons[reason] },
  { title: 'Product', render: ({ productName }) => productName, look: 'wide' },
  { title: 'Keys', render: ({ keys }) => keys.length, look: 'right' },
  { title: 'Status', render: ({ status }) => <ClaimStatus status={status} /> },
  ACCOUNT_COLUMN,
  SELLER_COLUMN,
  { ...ORDER_COLUMN, look: 'minor' },
  { title: 'Since', time: 'createdAt', look: 'right' },
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
    <Page title="Claims">
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label="Search claims" placeholder="Id, account, seller or product" />
        <ChoiceFilter name="status" label="Status" choices={texts.claims.choices} isRequired />
        <ChoiceFilter name="reason" label="Reason" choices={texts.claims.reasons} />
        <AssigneeFilter />
        <TextFilter name="accountId" label="Account" find={findAccounts} />
        <TextFilter name="sellerId" label="Seller" find={findSellers} />
        <TextFilter name="orderId" label="Order" />
      </FilterBar>
      <List
        list={list}
        isLabelled
        label="Claims"
        columns={[...COLUMNS, column]}
        rowKeys={keys}
        rowPath={({ id }) => paths.claim(id)}
        icon="claims"
        none={isOpen ? 'No claim waits for a decision.' : texts.table.noMatch(1)}
      />
    </Page>
  );
}
