import { TextInput } from '@mantine/core';
import { admin, useRead } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { findProducts, findSellers } from '../catalogue/choices.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { type Choice, SearchSelect } from '../forms/search-select.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import type { Offer } from './offers-data.ts';
import { texts } from './texts.ts';

/** The id is part of the draft, so that a retry creates the same offer. */
type Draft = {
  readonly id: string;
  readonly product: Choice | null;
  readonly seller: Choice | null;
  readonly price: string;
  readonly status: Offer['status'];
};

export function NewOfferDialog(props: {
  /** Preset on the product's page. */
  readonly product?: Choice;
  readonly seller?: Choice;
}) {
  const { product = null, seller = null } = props;
  const go = useGo();
  const initial: Draft = { id: newUuid(), product, seller, price: '', status: 'active' };
  return (
    <ActionDialog
      title={product === null ? common.newOffer : texts.newOffer.newOfferOf(product.name)}
      form={`offer:new:${product?.id ?? ''}:${seller?.id ?? ''}`}
      initial={initial}
      problems={findProblems}
      fields={(form) => <OfferFields {...form} isOfProduct={product !== null} />}
      submit={texts.newOffer.createOffer}
      run={(draft, options) =>
        admin.putOffer({ params: { offerId: draft.id }, body: toBody(draft) }, options)
      }
      onDone={({ data: { id } }) => {
        go(paths.offer(id));
        toast(texts.newOffer.offerCreated);
      }}
    />
  );
}

function findProblems({ product, seller, price }: Draft) {
  return {
    productId: product === null ? texts.newOffer.productMissing : undefined,
    sellerId: seller === null ? texts.newOffer.sellerMissing : undefined,
    price: amountProblem(price, texts.offerActions.priceWrong),
  };
}

function toBody({ product, seller, price, status }: Draft) {
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

function OfferFields(props: Fields<Draft> & { readonly isOfProduct: boolean }) {
  const { draft, change, errors, bind, isOfProduct } = props;
  return (
    <>
      {isOfProduct ? null : (
        <SearchSelect
          label={common.product}
          description={texts.newOffer.choiceHint}
          name="productId"
          hasFocus
          chosen={draft.product ?? undefined}
          error={errors['productId']}
          find={findProducts}
          onChoose={({ id, name }) => change({ product: { id, name } })}
        />
      )}
      <SearchSelect
        label={common.seller}
        description={texts.newOffer.choiceHint}
        name="sellerId"
        hasFocus={isOfProduct}
        chosen={draft.seller ?? undefined}
        error={errors['sellerId']}
        find={findSellers}
        onChoose={({ id, name }) => change({ seller: { id, name } })}
      />
      <TextInput
        label={texts.newOffer.priceInEur}
        inputMode="decimal"
        autoComplete="off"
        {...bind('price')}
      />
      <SelectField label={common.status} choices={common.offerStatuses} {...bind('status')} />
      {draft.product === null ? null : <Situation product={draft.product} seller={draft.seller} />}
    </>
  );
}
