import type { OperatorAnswer } from '@keyport/sdk/admin';
import { useRead } from '../api/queries.ts';
import { idColumn } from '../lists/columns.tsx';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar } from '../lists/filters.tsx';
import { texts } from '../texts.ts';
import { Empty } from '../ui/page.tsx';
import { Money } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { MonthsFilter } from './months.tsx';

type Sales = OperatorAnswer<'getSellerSales'>['sellers'][number];

const COLUMNS: readonly Column<Sales>[] = [
  { title: 'Seller', render: ({ sellerName }) => sellerName },
  idColumn('seller id', 'sellerId', 'minor'),
  { title: 'Orders', render: ({ orders }) => orders, look: 'right minor' },
  { title: 'Turnover', money: 'turnover', look: 'right' },
  { title: texts.finance.sums.refunds, money: 'refunds', look: 'right' },
  {
    title: 'Net',
    render: ({ net }) => (
      <strong>
        <Money amount={net} />
      </strong>
    ),
    look: 'right',
  },
];

export function Sellers() {
  const { search } = useUrl();
  const query = { from: search['from'], to: search['to'] };
  const result = useRead('getSellerSales', { query });
  return (
    <>
      <FilterBar names={['from', 'to']}>
        <MonthsFilter />
        <DownloadButton
          label="Download CSV"
          path="/admin/v1/books/sellers"
          query={query}
          fileName={`sellers-${result.data?.from ?? ''}-${result.data?.to ?? ''}.csv`}
        />
      </FilterBar>
      <DataTable
        isLabelled
        label="Owed to sellers"
        columns={COLUMNS}
        query={result}
        rows={result.data?.sellers}
        rowKey={({ sellerId }) => sellerId}
        empty={<Empty icon="finance">Nothing was sold in this range.</Empty>}
      />
    </>
  );
}
