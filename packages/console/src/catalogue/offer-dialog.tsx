/** A new offer of a product by a seller; shows what the seller and others offer already. */
import type { OperatorAnswer, OperatorElement } from '@keyport/sdk/admin';
import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useLive } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { amountProblem, readPrice } from '../ui/amounts.ts';
import { type Choice, SearchSelect } from '../ui/search-select.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney } from '../ui/values.tsx';
import { findProducts, findSellers } from './choices.ts';

type Offer = OperatorElement<'listOffers'>;
/** The id is part of the draft: sent again, it is the same offer. */
type Draft = {
  readonly id: string;
  readonly product: Choice | null;
  readonly seller: Choice | null;
  readonly price: string;
  readonly status: Offer['status'];
};

const words = texts.catalogueForms;

export function NewOfferDialog(props: {
  /** Of whose page it was opened. */
  readonly product?: Choice;
  readonly seller?: Choice;
  readonly onClose: () => void;
}) {
  const { product = null, seller = null, onClose } = props;
  const navigate = useNavigate();
  return (
    <ActionDialog<Draft, never>
      onClose={onClose}
      title={product === null ? words.newOffer : words.newOfferOf(product.name)}
      form={`offer:new:${product?.id ?? ''}:${seller?.id ?? ''}`}
      initial={{ id: newUuid(), product, seller, price: '', status: 'active' }}
      hasReason={false}
      problems={problemsOf}
      fields={(draft, change, errors) => (
        <OfferFields {...{ draft, change, errors }} isOfProduct={product !== null} />
      )}
      submit={() => words.createOffer}
      run={(draft, { client, idempotencyKey }) =>
        client
          .putOffer({ params: { offerId: draft.id }, body: bodyOf(draft) }, { idempotencyKey })
          .withResponse()
      }
      onDone={({ data }) => {
        const { id } = data as OperatorAnswer<'putOffer'>;
        toast(words.offerCreated);
        void navigate({ to: paths.offer(id) });
      }}
    />
  );
}

function problemsOf({ product, seller, price }: Draft) {
  return {
    productId: product === null ? words.productMissing : undefined,
    sellerId: seller === null ? words.sellerMissing : undefined,
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

/** What is offered of the product now, by the seller and by others. */
function Situation({ product, seller }: { readonly product: Choice; readonly seller: Choice | null }) {
  const query = { productId: product.id, sort: 'price' as const, limit: 100 };
  const { data: offers } = useLive(['offers', query], (client, signal) =>
    client.listOffers({ query }, { signal }),
  );
  if (offers === undefined) return null;
  const own = offers.data.find(({ sellerId }) => sellerId === seller?.id);
  const cheapest = offers.data.find(({ status, quantity }) => status === 'active' && quantity > 0);
  return (
    <output className="preview">
      {own === undefined ? null : (
        <p>
          <strong>{words.offeredAlready(own.sellerName, formatMoney(own.price))}</strong>
        </p>
      )}
      <p>
        {cheapest === undefined
          ? words.noOtherOffer
          : words.cheapest(formatMoney(cheapest.price), cheapest.sellerName)}{' '}
        {words.newOfferSays}
      </p>
    </output>
  );
}

function OfferFields(props: {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly isOfProduct: boolean;
}) {
  const { draft, change, errors, isOfProduct } = props;
  return (
    <>
      {isOfProduct ? null : (
        <SearchSelect
          label={texts.catalogue.product}
          description={words.choiceHint}
          name="productId"
          hasFocus
          chosen={draft.product ?? undefined}
          error={errors['productId']}
          find={findProducts}
          onChoose={({ id, name }) => change({ product: { id, name } })}
        />
      )}
      <SearchSelect
        label={texts.catalogue.seller}
        description={words.choiceHint}
        name="sellerId"
        hasFocus={isOfProduct}
        chosen={draft.seller ?? undefined}
        error={errors['sellerId']}
        find={findSellers}
        onChoose={({ id, name }) => change({ seller: { id, name } })}
      />
      <TextInput
        label={words.priceInEur}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        value={draft.price}
        error={errors['price']}
        onChange={({ currentTarget }) => change({ price: currentTarget.value })}
      />
      <NativeSelect
        label={texts.catalogue.status}
        value={draft.status}
        data={Object.entries(texts.catalogue.statuses).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => change({ status: currentTarget.value as Offer['status'] })}
      />
      {draft.product === null ? null : <Situation product={draft.product} seller={draft.seller} />}
    </>
  );
}
