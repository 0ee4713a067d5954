import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Warning } from '../ui/states.tsx';
import { Badge, Money } from '../ui/values.tsx';

const SHOWN = 20;

const words = texts.imports;

export function PriceChanges({ prices }: { readonly prices: NonNullable<ImportResult['prices']> }) {
  const { changed, outliers, largest } = prices;
  if (changed === 0) return null;
  return (
    <>
      {outliers === 0 ? null : (
        <Warning icon="alert" role="alert">
          {words.outliers(outliers)}
        </Warning>
      )}
      <h3>{words.pricesChange(changed, Math.min(SHOWN, largest.length))}</h3>
      <table className="table labelled" aria-label={words.priceList}>
        <thead>
          <tr>
            <th scope="col">{texts.common.product}</th>
            <th scope="col">{texts.common.seller}</th>
            <th scope="col" className="right">
              {words.lineNumber}
            </th>
            <th scope="col" className="right">
              {texts.offerActions.before}
            </th>
            <th scope="col" className="right">
              {texts.offerActions.after}
            </th>
          </tr>
        </thead>
        <tbody>
          {largest
            .slice(0, SHOWN)
            .map(({ line, offerId, productName, sellerName, before, after, isOutlier }) => (
              <tr key={line}>
                <td>
                  <Link to={paths.offer(offerId)}>{productName}</Link>
                  {isOutlier ? (
                    <>
                      {' '}
                      <Badge look={['warn', 'alert']}>{words.outlier}</Badge>
                    </>
                  ) : null}
                </td>
                <td data-title={texts.common.seller}>{sellerName}</td>
                <td className="right" data-title={words.lineNumber}>
                  {line.toLocaleString(LOCALE)}
                </td>
                <td className="right" data-title={texts.offerActions.before}>
                  <Money amount={before} />
                </td>
                <td className="right" data-title={texts.offerActions.after}>
                  <Money amount={after} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
