import type { OperatorAnswer, OperatorElement } from '@keyport/sdk-source/admin';
import type { ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { SellerClaims } from '../claims/claim-parts.tsx';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { ListCount } from '../lists/list-tabs.tsx';
import { menuColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { common, formatCount } from '../texts.ts';
import { toChange } from '../ui/tiles.tsx';
import { Link, Money } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { CataloguePage } from './catalogue-page.tsx';
import { texts } from './texts.ts';

type Seller = OperatorElement<'listSellers'>;

const words = texts.catalogueForms;
const NAME = toColumns(
  'listSellers',
  {
    name: ({ id, name }) => (
      <Link to={paths.seller(id)} rowKey={id}>
        {name}
      </Link>
    ),
  },
  ['name'],
);
const ID = toColumns('listSellers', {}, ['id']);

const COLUMNS: readonly Column<Seller>[] = [
  {
    title: common.claimRate,
    render: ({ id }) => (
      <Link to={paths.claims} search={{ sellerId: id, status: 'all' }}>
        <SellerClaims sellerId={id} />
      </Link>
    ),
    look: 'right',
  },
];

/** The sales of a seller without a row, if the report is complete. */
const NONE = { orders: 0, turnover: '0.00', before: { turnover: '0.00' } };
const SELLERS_MAX = 1000;

function salesColumns(report: OperatorAnswer<'getSalesReport'> | undefined): readonly Column<Seller>[] {
  const rows = new Map(report?.rows.map((row) => [row.key, row]));
  const column = (
    title: string,
    look: 'right' | 'right minor',
    show: (sales: typeof NONE, sellerId: string) => ReactNode,
  ): Column<Seller> => ({
    title,
    look,
    render: ({ id }) => {
      const sales = rows.get(id) ?? (report?.omitted === 0 ? NONE : undefined);
      return sales === undefined ? '–' : show(sales, id);
    },
  });
  return [
    column(texts.sellerPage.orders, 'right', ({ orders }, sellerId) => (
      <Link to={paths.orders} search={{ sellerId, from: report?.from, days: 'utc' }}>
        {formatCount(orders)}
      </Link>
    )),
    column(texts.sellerPage.sales, 'right', ({ turnover }) => <Money amount={turnover} />),
    column(common.before, 'right minor', ({ before }) => <Money amount={before.turnover} />),
    column(common.change, 'right minor', ({ turnover, before }) =>
      toChange(Number(turnover), Number(before.turnover)),
    ),
  ];
}

export function SellersList() {
  const { search } = useUrl();
  const { data: sales } = useRead('getSalesReport', { query: { by: 'seller', limit: SELLERS_MAX } });
  const list = useList('listSellers', {
    isFiltered: true,
    sortedBy: search['query'] === undefined ? 'name' : undefined,
  });
  const mayChange = useMay('catalogue');
  const actions = menuColumn<Seller>(
    ({ name }) => words.actionsOf(name),
    (seller) => [
      {
        label: words.rename,
        name: words.renameOf(seller.name),
        run: () => openDialog(<SellerDialog seller={seller} />),
      },
    ],
  );
  return (
    <CataloguePage create={common.newSeller} count={<ListCount list={list} />}>
      <List
        list={list}
        isLabelled
        isCounted={false}
        tools={
          <Link to={paths.reports} search={{ by: 'seller' }}>
            {texts.catalogue.byTurnover}
          </Link>
        }
        label={common.catalogueParts.sellers}
        columns={[...NAME, ...salesColumns(sales), ...COLUMNS, ...ID, ...(mayChange ? [actions] : [])]}
        icon="catalogue"
        none={texts.catalogue.noSellers}
      />
    </CataloguePage>
  );
}

/** Creates a seller, or renames one. */
export function SellerDialog({ seller }: { readonly seller?: Seller }) {
  if (seller !== undefined)
    return (
      <Operate
        operation="putSeller"
        params={{ sellerId: seller.id }}
        title={words.renameOf(seller.name)}
        values={seller}
        submit={words.rename}
        done={({ name }) => words.renamed(name)}
      />
    );
  return (
    <Operate
      operation="putSeller"
      makesId="sellerId"
      title={common.newSeller}
      submit={words.createSeller}
      done={({ name }) => words.created(name)}
    />
  );
}
