import type { OperatorAnswer } from '@keyport/sdk/admin';
import { useRead } from '../api/queries.ts';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar } from '../lists/filters.tsx';
import { common } from '../texts.ts';
import { Empty } from '../ui/page.tsx';
import { Money } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { MonthsFilter } from './months.tsx';
import { texts } from './texts.ts';

type Sales = OperatorAnswer<'getSellerSales'>['sellers'][number];

const COLUMNS = toColumns<'getSellerSales', Sales>('getSellerSales', {
  net: ({ net }) => (
    <strong>
      <Money amount={net} />
    </strong>
  ),
});

export function Sellers() {
  const { search } = useUrl();
  const query = { from: search['from'], to: search['to'] };
  const result = useRead('getSellerSales', { query });
  return (
    <>
      <FilterBar names={['from', 'to']}>
        <MonthsFilter defaults={result.data} />
        <DownloadButton
          label={common.downloadCsv}
          path="/admin/v1/books/sellers"
          query={query}
          fileName={`sellers-${result.data?.from ?? ''}-${result.data?.to ?? ''}.csv`}
        />
      </FilterBar>
      <DataTable
        isLabelled
        label={texts.tabs.sellers}
        columns={COLUMNS}
        query={result}
        rows={result.data?.sellers}
        rowKey={({ sellerId }) => sellerId}
        empty={<Empty icon="finance">{common.noSales}</Empty>}
      />
    </>
  );
}
