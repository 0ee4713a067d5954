import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common, formatCount } from '../texts.ts';
import { Money } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { CataloguePage, Units } from './catalogue-page.tsx';
import { Picture } from './picture.tsx';
import { texts } from './texts.ts';

type Product = OperatorElement<'listCatalogueProducts'>;

const FILTERS = ['query', 'checkoutClass'];

const COLUMNS: readonly Column<Product>[] = [
  {
    title: common.product,
    render: (product) => (
      <>
        <Picture product={product} look="thumbnail" />
        {product.name}
      </>
    ),
    look: 'wide',
    sort: 'name',
  },
  {
    title: texts.catalogue.checkoutClass,
    render: ({ checkoutClass }) => texts.catalogue.checkoutClasses[checkoutClass],
    look: 'minor',
  },
  {
    title: texts.catalogue.activeOffers,
    render: ({ activeOffers }) => formatCount(activeOffers),
    look: 'right minor',
  },
  { title: common.units, render: ({ quantity }) => <Units units={quantity} />, look: 'right' },
  {
    title: common.from,
    render: ({ minPrice }) => (minPrice === null ? '–' : <Money amount={minPrice} />),
    look: 'right',
  },
  {
    title: texts.catalogue.productId,
    render: ({ id }) => <code>{id}</code>,
    look: 'right minor',
    sort: 'id',
  },
];

export function ProductsList() {
  const { search } = useUrl();
  const list = useList('listCatalogueProducts', {
    filters: FILTERS,
    sortedBy: search['query'] === undefined ? 'name' : undefined,
  });
  return (
    <CataloguePage create={common.newProduct}>
      <List
        list={list}
        filters={
          <>
            <SearchFilter
              name="query"
              label={texts.catalogue.searchProducts}
              placeholder={texts.catalogue.productWords}
            />
            <ChoiceFilter
              name="checkoutClass"
              label={texts.catalogue.checkoutClass}
              choices={texts.catalogue.checkoutClasses}
            />
          </>
        }
        label={common.catalogueParts.products}
        columns={COLUMNS}
        rowPath={({ id }) => paths.product(id)}
        icon="catalogue"
        none={texts.catalogue.noProducts}
      />
    </CataloguePage>
  );
}
