import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { common, formatCount } from '../texts.ts';
import { Warning } from '../ui/page.tsx';
import { Badge, Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

const SHOWN = 20;

type Prices = NonNullable<ImportResult['prices']>;

const COLUMNS: readonly Column<Prices['largest'][number]>[] = [
  {
    title: common.product,
    render: ({ offerId, productName, isOutlier }) => (
      <>
        <Link to={paths.offer(offerId)}>{productName}</Link>{' '}
        {isOutlier ? <Badge look={['warn', 'alert']}>{texts.outlier}</Badge> : null}
      </>
    ),
  },
  { title: common.seller, render: ({ sellerName }) => sellerName },
  { title: texts.lineNumber, render: ({ line }) => formatCount(line), look: 'right' },
  { title: texts.priceNow, money: 'before', look: 'right' },
  { title: texts.priceThen, money: 'after', look: 'right' },
];

type Shown = { readonly prices: Prices; readonly isCheck: boolean };

export function PriceChanges({ prices, isCheck }: Shown) {
  const { changed, paused, activated } = prices;
  return (
    <>
      {paused + activated === 0 ? null : <p>{texts.statusesChange(paused, activated)}</p>}
      {changed === 0 ? null : <Largest prices={prices} isCheck={isCheck} />}
    </>
  );
}

function Largest({ prices: { changed, outliers, largest }, isCheck }: Shown) {
  return (
    <>
      {outliers === 0 ? null : (
        <Warning icon="alert" role="alert">
          {texts.outliers(outliers)}
        </Warning>
      )}
      <h3>{texts.pricesChange(changed, Math.min(SHOWN, largest.length), isCheck)}</h3>
      <DataTable
        isLabelled
        label={texts.priceList}
        columns={COLUMNS}
        rows={largest.slice(0, SHOWN)}
        rowKey={({ line }) => String(line)}
        empty={null}
      />
    </>
  );
}
