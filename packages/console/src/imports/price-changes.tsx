import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { formatCount, plural, texts } from '../texts.ts';
import { Warning } from '../ui/page.tsx';
import { Badge, Link } from '../ui/values.tsx';
import { paths } from '../url.ts';

const SHOWN = 20;

const words = texts.imports;

type Prices = NonNullable<ImportResult['prices']>;

const COLUMNS: readonly Column<Prices['largest'][number]>[] = [
  {
    title: 'Product',
    render: ({ offerId, productName, isOutlier }) => (
      <>
        <Link to={paths.offer(offerId)}>{productName}</Link>{' '}
        {isOutlier ? <Badge look={['warn', 'alert']}>Check</Badge> : null}
      </>
    ),
  },
  { title: 'Seller', render: ({ sellerName }) => sellerName },
  { title: 'Line', render: ({ line }) => formatCount(line), look: 'right' },
  { title: 'Now', money: 'before', look: 'right' },
  { title: 'Then', money: 'after', look: 'right' },
];

export function PriceChanges({ prices }: { readonly prices: Prices }) {
  const { changed, outliers, largest } = prices;
  if (changed === 0) return null;
  return (
    <>
      {outliers === 0 ? null : (
        <Warning icon="alert" role="alert">
          {`${plural(outliers, 'price is', 'prices are')} more than three times the previous price, or less than a third of it. Check for typing errors such as 199 instead of 1.99.`}
        </Warning>
      )}
      <h3>{words.pricesChange(changed, Math.min(SHOWN, largest.length))}</h3>
      <DataTable
        isLabelled
        label="Prices before and after"
        columns={COLUMNS}
        rows={largest.slice(0, SHOWN)}
        rowKey={({ line }) => String(line)}
        empty={null}
      />
    </>
  );
}
