/** One product: its details, and who offers it at which price. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { NewOfferDialog } from '../offers/offer-dialog.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { Badge } from '../ui/values.tsx';
import { usePathId } from '../url.ts';
import { OFFER_COLUMNS } from './catalogue-page.tsx';
import { ProductDetails } from './product-details.tsx';
import { EditProductDialog } from './product-dialog.tsx';
import type { Product } from './product-fields.ts';

type Offer = OperatorElement<'listOffers'>;

const COLUMNS: readonly Column<Offer>[] = [
  { title: texts.common.seller, render: ({ sellerName }) => sellerName },
  OFFER_COLUMNS.status,
  OFFER_COLUMNS.units,
  OFFER_COLUMNS.price,
  {
    title: texts.common.about,
    render: ({ sellerId }) => <Link to={paths.seller(sellerId)}>{texts.sellerPage.show}</Link>,
    look: 'right',
  },
];

export function ProductPage() {
  const productId = usePathId();
  const result = useLive(['product', productId], (client, signal) =>
    client.getCatalogueProduct({ params: { productId } }, { signal }),
  );
  const { data: product } = result;
  return (
    <Page
      title={product?.name ?? texts.common.product}
      back={{ to: paths.catalogue, label: texts.catalogue.tabs.products }}
      heading={
        <>
          {product?.name ?? texts.common.product}
          {product === undefined || product.checkoutClass === 'standard' ? null : (
            <Badge look={['warn', 'alert']}>{texts.catalogue.notSold}</Badge>
          )}
        </>
      }
      actions={product === undefined ? null : <ProductActions product={product} />}
    >
      <Loaded query={result} missing="product">
        {(shown) => (
          <>
            <Section title={texts.catalogue.tabs.offers}>
              <Offers productId={productId} />
            </Section>
            <ProductDetails product={shown} />
          </>
        )}
      </Loaded>
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
        {texts.common.edit}…
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
  const list = useList('listOffers', { query: { productId, sort: 'price' } });
  return (
    <List
      list={list}
      label={texts.catalogue.tabs.offers}
      columns={COLUMNS}
      rowPath={({ id }) => paths.offer(id)}
      icon="catalogue"
      none={texts.catalogue.noOffersOfProduct}
    />
  );
}
