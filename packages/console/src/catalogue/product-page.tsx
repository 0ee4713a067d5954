import { Box, Group, Image, SimpleGrid } from '@mantine/core';
import { SERVICE_URL } from '../api/place.ts';
import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { toColumns } from '../lists/columns.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { NewOfferDialog } from '../offers/offer-dialog.tsx';
import type { Offer } from '../offers/offers-data.ts';
import { common } from '../texts.ts';
import { Columns, Facts, Section, ThingPage } from '../ui/page.tsx';
import { Picture } from '../ui/picture.tsx';
import { Badge, formatDay, Link, OrdersLink, ShortId } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { OFFER_CELLS } from './catalogue-page.tsx';
import { EditProductDialog } from './product-dialog.tsx';
import {
  ADDRESS_FIELDS,
  ADDRESSES_FIELDS,
  isAddress,
  type Product,
  REQUIREMENT_LEVELS,
  REQUIREMENT_PARTS,
} from './product-fields.ts';
import { texts } from './texts.ts';

const words = texts.catalogue;

const COLUMNS: readonly Column<Offer>[] = [
  // The first column opens the offer.
  ...toColumns('listOffers', OFFER_CELLS, ['sellerName', 'status', 'quantity', 'price']).toSorted(
    (one, other) => Number(other.title === common.seller) - Number(one.title === common.seller),
  ),
  {
    title: common.about,
    render: ({ sellerId }) => <Link to={paths.seller(sellerId)}>{texts.sellerPage.show}</Link>,
    look: 'right',
  },
];

export function ProductPage() {
  const productId = usePathId();
  return (
    <ThingPage
      query={useRead('getCatalogueProduct', { params: { productId } })}
      missing="product"
      back={{ to: paths.catalogue, label: common.catalogueParts.products }}
      title={(product) => product?.name ?? common.product}
      mark={({ checkoutClass }) =>
        checkoutClass === 'standard' ? null : <Badge look={['warn', 'alert']}>{words.notSold}</Badge>
      }
    >
      {(product) => (
        <Columns
          actions={<ProductActions product={product} />}
          beside={
            <>
              <Box mb={16}>
                <Picture product={product} look="portrait" />
              </Box>
              <Overview product={product} />
            </>
          }
        >
          <Section title={common.catalogueParts.offers}>
            <Offers productId={productId} />
          </Section>
          <Media product={product} />
          <Requirements product={product} />
        </Columns>
      )}
    </ThingPage>
  );
}

function ProductActions({ product }: { readonly product: Product }) {
  const { id, name } = product;
  if (!useMay('catalogue')) return null;
  return (
    <Actions
      icon="catalogue"
      actions={[
        { label: common.edit, dialog: <EditProductDialog product={product} /> },
        {
          label: common.newOffer,
          isPrimary: true,
          dialog: <NewOfferDialog product={{ id, name }} />,
        },
      ]}
    />
  );
}

/** Cheapest first, as resellers get them. */
function Offers({ productId }: { readonly productId: string }) {
  const list = useList('listOffers', { query: { productId, sort: 'price' } });
  return (
    <List
      list={list}
      label={common.catalogueParts.offers}
      columns={COLUMNS}
      rowPath={({ id }) => paths.offer(id)}
      icon="catalogue"
      none={words.noOffersOfProduct}
    />
  );
}

function Overview({ product }: { readonly product: Product }) {
  const { id, slug, checkoutClass, region, platform, publisher, developer, releaseDate, categories } =
    product;
  const { rating, descriptors = [] } = product.restrictions ?? {};
  return (
    <Facts
      title={common.details}
      facts={{
        [words.productId]: <ShortId id={id} shown={id} what={words.productId} />,
        [words.slug]: slug,
        [words.checkoutClass]: words.checkoutClasses[checkoutClass],
        [common.navigation.orders]: <OrdersLink query={id} />,
        [words.platform]: platform,
        [words.region]: region,
        [words.publisher]: publisher,
        [words.developer]: developer,
        [words.releaseDate]: releaseDate && formatDay(releaseDate, { year: 'numeric' }),
        [words.categories]: categories?.map(({ name }) => name).join(', ') ?? null,
        [words.rating]: rating ?? null,
        [words.descriptors]: descriptors.join(', '),
      }}
    />
  );
}

function Media({ product }: { readonly product: Product }) {
  const facts = [...ADDRESS_FIELDS, ...ADDRESSES_FIELDS].flatMap((name) => {
    const addresses = [product[name] ?? []].flat();
    return addresses.length === 0 ? [] : [[words[name], <Addresses key={name} all={addresses} />] as const];
  });
  if (facts.length === 0) return null;
  return (
    <Section title={words.media}>
      <Facts facts={facts} />
    </Section>
  );
}

function Addresses({ all }: { readonly all: readonly string[] }) {
  return (
    <Group component="ul" gap={8}>
      {[...new Set(all)].map((address) => (
        <li key={address}>
          {isAddress(address) ? (
            <a href={address} title={address} target="_blank" rel="noreferrer">
              <Preview address={address} />
            </a>
          ) : (
            <span className="wraps">{address}</span>
          )}
        </li>
      ))}
    </Group>
  );
}

const PICTURES = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** A picture from another host is named instead: the content security policy allows none. */
function Preview({ address }: { readonly address: string }) {
  const { host, pathname } = new URL(address);
  const file = pathname.split('/').at(-1) || host;
  return address.startsWith(`${SERVICE_URL}/`) && PICTURES.test(pathname) ? (
    <Image src={address} alt={file} loading="lazy" h={48} w="auto" maw={96} bdrs={3} />
  ) : (
    file
  );
}

function Requirements({ product: { requirements } }: { readonly product: Product }) {
  const levels = REQUIREMENT_LEVELS.flatMap((level) => {
    const parts = requirements?.[level];
    return parts === undefined ? [] : [{ level, parts }];
  });
  if (levels.length === 0) return null;
  return (
    <Section title={words.requirements}>
      <SimpleGrid minColWidth={260}>
        {levels.map(({ level, parts }) => (
          <div key={level}>
            <h3>{words.requirementLevels[level]}</h3>
            <Facts
              facts={Object.fromEntries(
                REQUIREMENT_PARTS.map((part) => [words.requirementParts[part], parts[part] || '–']),
              )}
            />
          </div>
        ))}
      </SimpleGrid>
    </Section>
  );
}
