/**
 * A list: a native table whose first cell is the link, with selection, keys and paging. Sorting, filters and pages are the
 * service's, so that a list of a million rows is as fast as one of ten.
 */
import { Button, Checkbox } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type CSSProperties, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { useCommands } from '../ui/commands.ts';
import { useKeys } from '../ui/keys.ts';
import { Link } from '../ui/link.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import type { Pager } from '../url.ts';

export type Column<Row> = {
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /**
   * Numbers and money stand right. Minor ones are left out on narrow screens. Names of products are wide: their ends tell them
   * apart.
   */
  readonly look?: 'right' | 'minor' | 'right minor' | 'wide' | 'minor wide';
  /** The orders of the list by this column: rising and falling. The first click takes the latter for numbers and times. */
  readonly sort?: readonly [rising: string, falling: string];
};

/** Pixels by the titles of columns; the others are as wide as they need. */
export type Widths = Readonly<Record<string, number>>;

export const WIDTH_MIN = 60;
export const WIDTH_MAX = 900;

export type DataTableProps<Row> = {
  /** For people who do not see it. */
  readonly label: string;
  /** On narrow screens every value has the name of its column, since nothing else tells sums apart. */
  readonly isLabelled?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly query: Pick<UseQueryResult<unknown>, 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>;
  /** Undefined: not loaded yet. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Where the first cell leads. */
  readonly rowPath?: (row: Row) => string;
  readonly empty: ReactNode;
  readonly pager?: Pager;
  readonly sorting?: { readonly current: string | undefined; readonly set: (sort: string) => void };
  readonly selection?: {
    readonly selected: readonly string[];
    readonly setSelected: (ids: readonly string[]) => void;
  };
  readonly onPeek?: (row: Row) => void;
  /** Letters that act on the row with the focus. */
  readonly rowKeys?: Readonly<Record<string, (row: Row) => void>> | undefined;
  readonly sizing?: { readonly widths: Widths; readonly set: (title: string, width: number) => void };
};

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    isLabelled = false,
    columns,
    query,
    rows,
    rowKey,
    rowPath,
    empty,
    pager,
    selection,
    sorting,
    sizing,
  } = props;
  const [dragged, setDragged] = useState<Widths>({});
  const widths = { ...sizing?.widths, ...dragged };
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(props, body);
  if (rows === undefined) {
    return query.error === null ? <Loading /> : <Failure error={query.error} retry={() => query.refetch()} />;
  }
  return (
    <>
      {query.error === null ? null : <Failure error={query.error} retry={() => query.refetch()} />}
      {rows.length === 0 ? (
        empty
      ) : (
        <div className="table-frame">
          <table
            className={isLabelled ? 'table labelled' : 'table'}
            aria-label={label}
            aria-busy={query.isFetching}
            data-stale={query.isPlaceholderData}
          >
            <thead>
              <tr>
                {selection === undefined ? null : <SelectAll {...{ rows, rowKey, selection }} />}
                {columns.map((column) => (
                  <Head key={column.title} {...{ column, sorting }} {...sized(widths, column.title)}>
                    {sizing === undefined ? null : (
                      <Resizer
                        onDrag={(width) => setDragged({ [column.title]: width })}
                        onEnd={(width) => {
                          sizing.set(column.title, width);
                          setDragged({});
                        }}
                      />
                    )}
                  </Head>
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {rows.map((row) => (
                <TableRow key={rowKey(row)} {...{ row, columns, rowKey, rowPath, selection, widths }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pager === undefined ? null : <Pages pager={pager} />}
    </>
  );
}

/** The style sheet uses it where rows are rows. */
function sized(
  widths: Widths,
  title: string,
): { readonly style?: CSSProperties; readonly 'data-sized'?: true } {
  const width = widths[title];
  return width === undefined
    ? {}
    : { style: { '--width': `${width}px` } as CSSProperties, 'data-sized': true };
}

/** By the pointer; the keyboard has fields for the widths beside the choice of columns. */
function Resizer(props: {
  readonly onDrag: (width: number) => void;
  readonly onEnd: (width: number) => void;
}) {
  const { onDrag, onEnd } = props;
  const from = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const widthAt = ({ clientX }: PointerEvent) => {
    const { x = clientX, width = 0 } = from.current ?? {};
    return Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + clientX - x)));
  };
  return (
    <span
      className="resizer"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
      }}
      onPointerMove={(event) => (from.current === undefined ? undefined : onDrag(widthAt(event)))}
      onPointerUp={(event) => {
        onEnd(widthAt(event));
        from.current = undefined;
      }}
    />
  );
}

function Head<Row>({
  column: { title, look, sort },
  sorting,
  children,
  ...size
}: {
  readonly column: Column<Row>;
  readonly sorting: DataTableProps<Row>['sorting'] | undefined;
  readonly children: ReactNode;
} & ReturnType<typeof sized>) {
  const { current, set } = sorting ?? {};
  if (sort === undefined || set === undefined)
    return (
      <th scope="col" className={look} {...size}>
        {title}
        {children}
      </th>
    );
  const [rising, falling] = sort;
  const [first, second] = look?.startsWith('right') ? [falling, rising] : [rising, falling];
  const direction = current === rising ? 'ascending' : current === falling ? 'descending' : 'none';
  return (
    <th scope="col" className={look} aria-sort={direction} {...size}>
      <button type="button" className="sort" onClick={() => set(current === first ? second : first)}>
        {title}
        <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
      </button>
      {children}
    </th>
  );
}

function TableRow<Row>({
  row,
  columns,
  rowKey,
  rowPath,
  selection,
  widths,
}: Pick<DataTableProps<Row>, 'columns' | 'rowKey'> & {
  readonly widths: Widths;
  readonly row: Row;
  readonly rowPath: DataTableProps<Row>['rowPath'] | undefined;
  readonly selection: DataTableProps<Row>['selection'] | undefined;
}) {
  const id = rowKey(row);
  const isSelected = selection?.selected.includes(id) ?? false;
  const toggle = () =>
    selection?.setSelected(
      isSelected ? selection.selected.filter((one) => one !== id) : [...selection.selected, id],
    );
  return (
    <tr data-selected={isSelected}>
      {selection === undefined ? null : (
        <td className="select">
          <Checkbox size="xs" checked={isSelected} onChange={toggle} aria-label={texts.table.selectRow(id)} />
        </td>
      )}
      {columns.map(({ title, render, look }, index) => (
        <td key={title} className={look} data-title={title} {...sized(widths, title)}>
          {index === 0 && rowPath !== undefined ? (
            <Link to={rowPath(row)} rowKey={id}>
              {render(row)}
            </Link>
          ) : (
            render(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function SelectAll<Row>({
  rows,
  rowKey,
  selection,
}: Required<Pick<DataTableProps<Row>, 'rowKey' | 'selection'>> & { readonly rows: readonly Row[] }) {
  const ids = rows.map(rowKey);
  const here = ids.filter((id) => selection?.selected.includes(id));
  const others = (selection?.selected ?? []).filter((id) => !ids.includes(id));
  const isAll = here.length === ids.length;
  return (
    <th scope="col" className="select">
      <Checkbox
        size="xs"
        aria-label={texts.table.selectAll}
        checked={isAll}
        indeterminate={here.length > 0 && !isAll}
        onChange={() => selection?.setSelected(isAll ? others : [...others, ...ids])}
      />
    </th>
  );
}

/** `j k` move the focus from link to link; `x` and `p` act on the row with the focus. */
function useRowKeys<Row>(
  { rows = [], rowKey, selection, onPeek, rowKeys = {} }: DataTableProps<Row>,
  body: { readonly current: HTMLElement | null },
): void {
  const links = () => [...(body.current?.querySelectorAll<HTMLElement>('[data-row-key]') ?? [])];
  const focused = () => document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-row-key]');
  const move = (step: number) => {
    const all = links();
    const now = focused();
    const index = now ? all.indexOf(now) + step : step > 0 ? 0 : all.length - 1;
    all[Math.max(0, Math.min(index, all.length - 1))]?.focus();
  };
  const onRow = (act: (row: Row, id: string) => void) => () => {
    const id = focused()?.dataset['rowKey'];
    const row = rows.find((one) => rowKey(one) === id);
    if (row !== undefined && id !== undefined) act(row, id);
  };
  useCommands(() => {
    const link = focused();
    const id = link?.dataset['rowKey'];
    const row = rows.find((one) => rowKey(one) === id);
    if (!link || row === undefined || id === undefined) return [];
    const name = link.textContent;
    const { selected = [], setSelected } = selection ?? {};
    const isSelected = selected.includes(id);
    const others = selected.filter((one) => one !== id);
    return [
      { label: texts.palette.open(name), icon: 'right', run: () => link.click() },
      ...(onPeek === undefined
        ? []
        : [{ label: texts.palette.look(name), icon: 'search' as const, run: () => onPeek(row) }]),
      ...(setSelected === undefined
        ? []
        : [
            {
              label: (isSelected ? texts.palette.unselect : texts.palette.select)(name),
              icon: 'check' as const,
              run: () => setSelected(isSelected ? others : [...others, id]),
            },
          ]),
    ];
  });
  useKeys({
    ...Object.fromEntries(Object.entries(rowKeys).map(([key, act]) => [key, onRow(act)])),
    j: () => move(1),
    k: () => move(-1),
    x:
      selection &&
      onRow((_, id) => {
        const { selected, setSelected } = selection;
        setSelected(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]);
      }),
    p: onPeek && onRow((row) => onPeek(row)),
  });
}

function Pages({ pager }: { readonly pager: Pager }) {
  const { newer, older } = pager;
  if (newer === undefined && older === undefined) return null;
  return (
    <nav className="pages" aria-label="Pages">
      <Button variant="default" size="xs" disabled={newer === undefined} onClick={newer}>
        ‹ {texts.table.newer}
      </Button>
      <Button variant="default" size="xs" disabled={older === undefined} onClick={older}>
        {texts.table.older} ›
      </Button>
    </nav>
  );
}
