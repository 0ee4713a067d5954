/** The columns of lists, as the contract declares them. */
import { LIST_COLUMNS, type ListColumn, type ListName, valuesAt } from '@keyport/contract/list-columns';
import type { ReactNode } from 'react';
import type { Answer, Element, ListName as PagedName } from '../api/queries.ts';
import { formatCount, inPercent } from '../texts.ts';
import { Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import type { Column } from './data-table.tsx';

type Format = NonNullable<ListColumn['format']>;

type Columns<Name extends ListName> = (typeof LIST_COLUMNS)[Name];

type RowOf<Name extends ListName> = Name extends PagedName
  ? Element<Name>
  : Answer<Name> extends readonly (infer Row)[]
    ? Row
    : never;

/** A cell is an element, or a text for each value, for a column whose format is not enough. */
type Cell<Row> = ((row: Row) => ReactNode) | Readonly<Record<string, string>>;

/** Extra columns come last. `names` selects columns; by default, all are shown. */
export function toColumns<Name extends ListName, Row extends object = RowOf<Name>>(
  list: Name,
  cells: { readonly [Column in keyof Columns<Name>]?: Cell<Row> } = {},
  names?: readonly (keyof Columns<Name>)[],
): readonly Column<Row>[] {
  const own: Readonly<Record<string, Cell<Row> | undefined>> = { ...cells };
  const isExtra = ({ importance }: ListColumn) => importance === 'extra';
  return Object.entries<ListColumn>(LIST_COLUMNS[list])
    .filter(([name]) => names === undefined || (names as readonly string[]).includes(name))
    .toSorted(([, one], [, other]) => Number(isExtra(one)) - Number(isExtra(other)))
    .map(([name, column], place) => {
      const { label, path = name, format = 'text', importance, isWide = false, sort } = column;
      const link = LINKS[format];
      return {
        title: label,
        look: [
          place > 0 && RIGHT.includes(format) ? ['right'] : [],
          importance === undefined ? [] : ['minor'],
          isWide ? ['wide'] : [],
        ]
          .flat()
          .join(' '),
        render: (row) => toContent(valuesAt(row, path.split('.')), row, column, own[name]),
        ...(link === undefined
          ? {}
          : { link: (row: object) => link(row as Readonly<Record<string, unknown>>) }),
        ...(isExtra(column) ? { isExtra: true } : {}),
        ...(sort === undefined ? {} : { sort: sort === true ? name : sort }),
      };
    });
}

function toContent<Row extends object>(
  values: readonly unknown[],
  row: Row,
  { format = 'text', label, labels }: ListColumn,
  cell: Cell<Row> | undefined,
): ReactNode {
  if (typeof cell === 'function') return cell(row);
  const [value] = values;
  if (value === undefined) return null;
  // The elements of an array, such as the items of an order.
  if (format === 'count') return formatCount(values.reduce<number>((sum, one) => sum + Number(one), 0));
  return (cell ?? labels)?.[String(value)] ?? FORMATS[format](values.join(', '), label, row);
}

const asText = (text: string) => text;

const FORMATS: Readonly<
  Record<Exclude<Format, 'count'>, (text: string, label: string, row: { currency?: string }) => ReactNode>
> = {
  text: asText,
  code: (text) => <code>{text}</code>,
  id: (text, label) => <ShortId id={text} what={label} />,
  percent: (text) => inPercent(Number(text)),
  money: (text, _, { currency }) => <Money amount={text} currency={currency} />,
  time: (text) => <Time at={text} />,
  account: asText,
  order: (text) => <OrderId id={text} />,
  seller: asText,
};

const RIGHT: readonly Format[] = ['count', 'percent', 'money', 'time'];

/** The path that a value links to. */
const LINKS: { readonly [Name in Format]?: (row: Readonly<Record<string, unknown>>) => string | undefined } =
  {
    account: ({ accountId }) => (typeof accountId === 'string' ? paths.account(accountId) : undefined),
    order: ({ orderId }) => (typeof orderId === 'string' ? paths.order(orderId) : undefined),
    seller: ({ sellerId }) => (typeof sellerId === 'string' ? paths.seller(sellerId) : undefined),
  };
