/** One product: its details, and who offers it at which price. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isMissing, useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Badge, Money } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { OfferStatusBadge, Units } from './catalogue-page.tsx';
import { NewOfferDialog } from './offer-dialog.tsx';
import { ProductDetails } from './product-details.tsx';
import { EditProductDialog } from './product-dialog.tsx';
import type { Product } from './product-fields.ts';

type Offer = OperatorElement<'listOffers'>;

const COLUMNS: readonly Column<Offer>[] = [
  { title: texts.catalogue.seller, render: ({ sellerName }) => sellerName },
  { title: texts.catalogue.status, render: ({ status }) => <OfferStatusBadge status={status} /> },
  { title: texts.catalogue.units, render: ({ quantity }) => <Units units={quantity} />, isRight: true },
  { title: texts.catalogue.price, render: ({ price }) => <Money amount={price} />, isRight: true },
];

export function ProductPage() {
  const { productId = '' }: { productId?: string } = useParams({ strict: false });
  const result = useLive(['product', productId], (client, signal) =>
    client.getCatalogueProduct({ params: { productId } }, { signal }),
  );
  const { data: product, error } = result;
  return (
    <Page
      title={product?.name ?? texts.catalogue.product}
      back={{ to: paths.catalogue, label: texts.catalogue.tabs.products }}
      heading={
        <>
          {product?.name ?? texts.catalogue.product}
          {product === undefined || product.checkoutClass === 'standard' ? null : (
            <Badge tone="warn" icon="alert">
              {texts.catalogue.notSold}
            </Badge>
          )}
        </>
      }
      actions={product === undefined ? null : <ProductActions product={product} />}
    >
      {product === undefined && error === null ? <Loading /> : null}
      {product === undefined && error !== null ? (
        isMissing(error) ? (
          <Empty icon="search">{texts.states.notFound('product')}</Empty>
        ) : (
          <Failure error={error} retry={() => void result.refetch()} />
        )
      ) : null}
      {product === undefined ? null : (
        <>
          <Section title={texts.catalogue.tabs.offers}>
            <Offers productId={productId} />
          </Section>
          <ProductDetails product={product} />
        </>
      )}
    </Page>
  );
}

function ProductActions({ product }: { readonly product: Product }) {
  const may = useMay('catalogue');
  const [open, setOpen] = useState<'edit' | 'offer'>();
  if (!may) return null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
        {texts.catalogueForms.edit}…
      </Button>
      <Button size="xs" onClick={() => setOpen('offer')}>
        {texts.catalogueForms.newOffer}…
      </Button>
      {open === 'edit' ? <EditProductDialog product={product} onClose={close} /> : null}
      {open === 'offer' ? (
        <NewOfferDialog product={{ id: product.id, name: product.name }} onClose={close} />
      ) : null}
    </>
  );
}

/** Cheapest first, as resellers get them. */
function Offers({ productId }: { readonly productId: string }) {
  const { search } = useUrl();
  const query = { productId, sort: 'price', cursor: search['cursor'], limit: 50 };
  const result = useLive(['offers', query], (client, signal) =>
    client.listOffers({ query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  return (
    <DataTable
      label={texts.catalogue.tabs.offers}
      columns={COLUMNS}
      query={result}
      rows={result.data?.data}
      rowKey={({ id }) => id}
      rowPath={({ id }) => paths.offer(id)}
      pager={pager}
      empty={<Empty icon="catalogue">{texts.catalogue.noOffersOfProduct}</Empty>}
    />
  );
}
