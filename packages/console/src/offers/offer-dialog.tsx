import { TextInput } from '@mantine/core';
import { admin, useRead } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { findProducts, findSellers } from '../catalogue/choices.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { type Choice, SearchSelect } from '../forms/search-select.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import type { Offer } from './offers-data.ts';

/** The id is part of the draft: sent again, it is the same offer. */
type Draft = {
  readonly id: string;
  readonly product: Choice | null;
  readonly seller: Choice | null;
  readonly price: string;
  readonly status: Offer['status'];
};

export function NewOfferDialog(props: {
  /** Set on the product's page. */
  readonly product?: Choice;
  readonly seller?: Choice;
}) {
  const { product = null, seller = null } = props;
  const go = useGo();
  const initial: Draft = { id: newUuid(), product, seller, price: '', status: 'active' };
  return (
    <ActionDialog
      title={product === null ? 'New offer' : `New offer of ${product.name}`}
      form={`offer:new:${product?.id ?? ''}:${seller?.id ?? ''}`}
      initial={initial}
      problems={problemsOf}
      fields={(form) => <OfferFields {...form} isOfProduct={product !== null} />}
      submit="Create offer"
      run={(draft, options) =>
        admin.putOffer({ params: { offerId: draft.id }, body: bodyOf(draft) }, options)
      }
      onDone={({ data: { id } }) => {
        toast('Offer created. Add keys to sell it.');
        go(paths.offer(id));
      }}
    />
  );
}

function problemsOf({ product, seller, price }: Draft) {
  return {
    productId: product === null ? 'Choose a product.' : undefined,
    sellerId: seller === null ? 'Choose a seller.' : undefined,
    price: amountProblem(price, texts.offerActions.priceWrong),
  };
}

function bodyOf({ product, seller, price, status }: Draft) {
  return {
    productId: product?.id ?? '',
    sellerId: seller?.id ?? '',
    price: readPrice(price) ?? price,
    status,
  };
}

/** The current offers of the product, by the seller and by others. */
function Situation({ product, seller }: { readonly product: Choice; readonly seller: Choice | null }) {
  const query = { productId: product.id, sort: 'price' as const, limit: 100 };
  const { data: offers } = useRead('listOffers', { query });
  if (offers === undefined) return null;
  const own = offers.data.find(({ sellerId }) => sellerId === seller?.id);
  const cheapest = offers.data.find(({ status, quantity }) => status === 'active' && quantity > 0);
  return (
    <output className="preview">
      {own === undefined ? null : (
        <p>
          <strong>
            {own.sellerName} already offers this product at {formatMoney(own.price)}.
          </strong>
        </p>
      )}
      <p>
        {cheapest === undefined
          ? 'No seller sells this product now.'
          : `Cheapest now: ${formatMoney(cheapest.price)} by ${cheapest.sellerName}.`}{' '}
        The offer is sold once it is active and has keys.
      </p>
    </output>
  );
}

function OfferFields(props: Fields<Draft> & { readonly isOfProduct: boolean }) {
  const { draft, change, errors, bind, isOfProduct } = props;
  return (
    <>
      {isOfProduct ? null : (
        <SearchSelect
          label="Product"
          description="Type words of the name, or an id."
          name="productId"
          hasFocus
          chosen={draft.product ?? undefined}
          error={errors['productId']}
          find={findProducts}
          onChoose={({ id, name }) => change({ product: { id, name } })}
        />
      )}
      <SearchSelect
        label="Seller"
        description="Type words of the name, or an id."
        name="sellerId"
        hasFocus={isOfProduct}
        chosen={draft.seller ?? undefined}
        error={errors['sellerId']}
        find={findSellers}
        onChoose={({ id, name }) => change({ seller: { id, name } })}
      />
      <TextInput label="Price in EUR" inputMode="decimal" autoComplete="off" {...bind('price')} />
      <SelectField label="Status" choices={texts.catalogue.statuses} {...bind('status')} />
      {draft.product === null ? null : <Situation product={draft.product} seller={draft.seller} />}
    </>
  );
}
