import { Box, Group } from '@mantine/core';
import { type Answer, useRead } from '../api/queries.ts';
import { Actions } from '../forms/actions.tsx';
import { openDialog } from '../forms/closing.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common, formatCount } from '../texts.ts';
import { Empty, Facts, Section, ThingPage } from '../ui/page.tsx';
import { Picture } from '../ui/picture.tsx';
import { formatDay, Money, ShortId } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { Suspended, useSuspended } from './suspended.tsx';
import { texts } from './texts.ts';

const BuyDialog = lazyPart(async () => (await import('./buy-dialog.tsx')).BuyDialog);

const words = texts.catalogue;

type Product = Answer<'getProduct'>;
type Offer = Product['offers'][number];

export function ProductPage() {
  const productId = usePathId();
  const query = useRead('getProduct', { params: { productId } }, { everyMs: 15_000 });
  return (
    <ThingPage
      query={query}
      missing="product"
      back={{ to: paths.catalogue, label: common.navigation.catalogue }}
      title={(product) => product?.name ?? common.product}
      actions={(product) => <ProductActions product={product} />}
    >
      {(product) => (
        <>
          <Suspended />
          <Section title={words.offers}>
            <Box maw={640}>
              <Offers product={product} />
            </Box>
          </Section>
          <Details productId={productId} />
        </>
      )}
    </ThingPage>
  );
}

function ProductActions({ product }: { readonly product: Product }) {
  const price = product.offers[0]?.price;
  const isSuspended = useSuspended();
  if (price === undefined || isSuspended) return null;
  const shared = { product, price };
  return (
    <Actions
      icon="catalogue"
      actions={[
        { label: words.reserve, dialog: <BuyDialog {...shared} isReservation /> },
        { label: words.buy, isPrimary: true, dialog: <BuyDialog {...shared} /> },
      ]}
    />
  );
}

function Offers({ product }: { readonly product: Product }) {
  return (
    <DataTable<Offer>
      isLabelled
      label={words.offers}
      columns={[
        { title: common.price, render: ({ price }) => <Money amount={price} /> },
        { title: common.units, look: 'right', render: ({ quantity }) => formatCount(quantity) },
        { title: common.offer, look: 'minor', render: ({ id }) => <ShortId id={id} what={common.offer} /> },
        ...(useSuspended()
          ? []
          : [
              actionsColumn<Offer>(({ id, price }) => [
                {
                  label: words.buy,
                  name: `${words.buyOf(product.name)}, ${price}`,
                  run: () => openDialog(<BuyDialog product={product} offerId={id} price={price} />),
                },
              ]),
            ]),
      ]}
      rows={product.offers}
      rowKey={({ id }) => id}
      empty={<Empty icon="catalogue">{words.noOffers}</Empty>}
    />
  );
}

function Details({ productId }: { readonly productId: string }) {
  const { data } = useRead('listProductDetails', { query: { productIds: [productId] } });
  const detail = data?.[0];
  if (detail === undefined) return null;
  const { region, platform, publisher, developer, releaseDate, restrictions } = detail;
  return (
    <Section title={common.details}>
      <Group align="start" gap="16px 24px">
        <Picture product={detail} look="portrait" />
        <Box flex={1} miw={240} maw={500}>
          <Facts
            facts={{
              [words.platform]: platform,
              [words.region]: region,
              [words.publisher]: publisher,
              [words.developer]: developer,
              [words.released]: releaseDate === null ? null : formatDay(releaseDate, { year: 'numeric' }),
              [words.rating]: restrictions?.rating ?? null,
              [words.id]: <ShortId id={productId} shown={productId} what={words.id} />,
            }}
          />
        </Box>
      </Group>
    </Section>
  );
}
