import { common } from '../texts.ts';
import { Link, OrderLink, ShortId } from '../ui/values.tsx';
import { paths } from '../url.ts';
import type { Column } from './data-table.tsx';

export function idColumn<Name extends string>(
  title: string,
  name: Name,
  look: NonNullable<Column<never>['look']>,
): Column<Readonly<Record<Name, string>>> {
  return { title, render: (row) => <ShortId id={row[name]} what={title} />, look };
}

export const ACCOUNT_COLUMN = {
  title: common.account,
  render: ({ accountId, accountName }: { readonly accountId: string; readonly accountName: string }) => (
    <Link to={paths.account(accountId)}>{accountName}</Link>
  ),
};

export const SELLER_COLUMN = {
  title: common.seller,
  render: ({ sellerId, sellerName }: { readonly sellerId: string; readonly sellerName: string }) => (
    <Link to={paths.seller(sellerId)}>{sellerName}</Link>
  ),
};

export const ORDER_COLUMN = {
  title: common.order,
  render: ({ orderId }: { readonly orderId: string | null }) =>
    orderId === null ? null : <OrderLink id={orderId} />,
};
