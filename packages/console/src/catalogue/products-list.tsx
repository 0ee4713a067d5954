/** All products, on offer or not. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../ui/filters.tsx';
import { EmptyList } from '../ui/states.tsx';
import { Money } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { CataloguePage, Units } from './catalogue-page.tsx';
import { NewProductDialog } from './product-dialog.tsx';

type Product = OperatorElement<'listCatalogueProducts'>;

const FILTERS = ['query', 'checkoutClass'];

const COLUMNS: readonly Column<Product>[] = [
  { title: texts.catalogue.product, render: ({ name }) => name },
  {
    title: texts.catalogue.checkoutClass,
    render: ({ checkoutClass }) => texts.catalogue.checkoutClasses[checkoutClass],
    isMinor: true,
  },
  {
    title: texts.catalogue.activeOffers,
    render: ({ activeOffers }) => activeOffers,
    isRight: true,
    isMinor: true,
  },
  { title: texts.catalogue.units, render: ({ quantity }) => <Units units={quantity} />, isRight: true },
  {
    title: texts.catalogue.fromPrice,
    render: ({ minPrice }) => (minPrice === null ? texts.catalogue.none : <Money amount={minPrice} />),
    isRight: true,
  },
  { title: texts.catalogue.productId, render: ({ id }) => <code>{id}</code>, isRight: true, isMinor: true },
];

export function ProductsList() {
  const { search } = useUrl();
  const { query: words, checkoutClass, cursor } = search;
  const query = {
    query: words,
    checkoutClass,
    cursor,
    limit: 50,
    sort: words === undefined ? 'name' : undefined,
  };
  const result = useLive(['products', query], (client, signal) =>
    client.listCatalogueProducts({ query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  const [isCreating, setCreating] = useState(false);
  return (
    <CataloguePage create={{ label: texts.catalogueForms.newProduct, open: () => setCreating(true) }}>
      <FilterBar names={FILTERS}>
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
      </FilterBar>
      <DataTable
        label={texts.catalogue.tabs.products}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.product(id)}
        pager={pager}
        empty={
          <EmptyList icon="catalogue" filters={FILTERS} pager={pager} none={texts.catalogue.noProducts} />
        }
      />
      {isCreating ? <NewProductDialog onClose={() => setCreating(false)} /> : null}
    </CataloguePage>
  );
}
