import { Group } from '@mantine/core';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { ListCount } from '../lists/list-tabs.tsx';
import { common } from '../texts.ts';
import { Picture } from '../ui/picture.tsx';
import { paths, useUrl } from '../url.ts';
import { CataloguePage, Units } from './catalogue-page.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listCatalogueProducts', {
  name: (product) => (
    <Group component="span" gap={10} wrap="nowrap">
      <Picture product={product} look="thumbnail" />
      <span className="two-lines">{product.name}</span>
    </Group>
  ),
  checkoutClass: texts.catalogue.checkoutClasses,
  quantity: ({ quantity }) => <Units units={quantity} />,
});

export function ProductsList() {
  const { search } = useUrl();
  const list = useList('listCatalogueProducts', {
    isFiltered: true,
    sortedBy: search['query'] === undefined ? 'name' : undefined,
  });
  return (
    <CataloguePage create={common.newProduct} count={<ListCount list={list} />}>
      <List
        list={list}
        isCounted={false}
        label={common.catalogueParts.products}
        columns={COLUMNS}
        rowPath={({ id }) => paths.product(id)}
        icon="catalogue"
        none={texts.catalogue.noProducts}
      />
    </CataloguePage>
  );
}
