import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { LOCALE, plural, texts } from '../texts.ts';
import { Warning } from '../ui/page.tsx';
import { Badge, Link, Money } from '../ui/values.tsx';
import { paths } from '../url.ts';

const SHOWN = 20;

const words = texts.imports;

export function PriceChanges({ prices }: { readonly prices: NonNullable<ImportResult['prices']> }) {
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
      <table className="table labelled" aria-label="Prices before and after">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Seller</th>
            <th scope="col" className="right">
              Line
            </th>
            <th scope="col" className="right">
              Now
            </th>
            <th scope="col" className="right">
              Then
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
                      <Badge look={['warn', 'alert']}>Check</Badge>
                    </>
                  ) : null}
                </td>
                <td data-title="Seller">{sellerName}</td>
                <td className="right" data-title="Line">
                  {line.toLocaleString(LOCALE)}
                </td>
                <td className="right" data-title="Now">
                  <Money amount={before} />
                </td>
                <td className="right" data-title="Then">
                  <Money amount={after} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
