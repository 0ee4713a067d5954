import { useRead } from '../api/queries.ts';
import { findProducts, findSellers } from '../catalogue/choices.ts';
import type { Choice } from '../forms/search-select.tsx';
import { Operate } from '../operate/operate.tsx';
import { common, formatMoney } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { paths, useGo } from '../url.ts';
import { texts } from './texts.ts';

const FINDS = { productId: findProducts, sellerId: findSellers };

export function NewOfferDialog(props: {
  /** Preset on the product's page. */
  readonly product?: Choice;
}) {
  const { product } = props;
  const go = useGo();
  return (
    <Operate
      operation="putOffer"
      makesId="offerId"
      title={product === undefined ? common.newOffer : texts.newOffer.newOfferOf(product.name)}
      {...(product && { body: { productId: product.id } })}
      finds={FINDS}
      more={({ draft }) => (
        <Situation
          product={product ?? (draft['productId'] as Choice | null)}
          seller={draft['sellerId'] as Choice | null}
        />
      )}
      submit={texts.newOffer.createOffer}
      onDone={({ data: { id } }) => {
        go(paths.offer(id));
        toast(texts.newOffer.offerCreated);
      }}
    />
  );
}

/** The current offers of the product, by the seller and by others. */
function Situation({ product, seller }: Readonly<Record<'product' | 'seller', Choice | null>>) {
  const query = { productId: product?.id, sort: 'price' as const, limit: 100 };
  const { data: offers } = useRead('listOffers', { query }, { enabled: product !== null });
  if (offers === undefined || product === null) return null;
  const own = offers.data.find(({ sellerId }) => sellerId === seller?.id);
  const cheapest = offers.data.find(({ status, quantity }) => status === 'active' && quantity > 0);
  return (
    <output className="preview">
      {own === undefined ? null : (
        <p>
          <strong>{texts.newOffer.offeredAlready(own.sellerName, formatMoney(own.price))}</strong>
        </p>
      )}
      <p>
        {cheapest === undefined
          ? texts.newOffer.noOtherOffer
          : texts.newOffer.cheapest(formatMoney(cheapest.price), cheapest.sellerName)}{' '}
        {texts.newOffer.newOfferSays}
      </p>
    </output>
  );
}
