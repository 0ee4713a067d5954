import { Button, Group, UnstyledButton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { usePlace } from '../places.tsx';
import { usePreferences } from '../preferences.ts';
import { common } from '../texts.ts';
import { type Command, useCommands } from '../ui/commands.ts';
import { useKeys } from '../ui/keys.ts';
import { Failure, Loading } from '../ui/page.tsx';
import { Isolated, Link, Money, Time } from '../ui/values.tsx';
import type { Pager } from '../url.ts';
import { texts } from './texts.ts';

/** Shows the result of `render`, or a member of the row: a time, or an amount in EUR. */
export type Column<Row> = {
  readonly title: string;
  readonly render?: (row: Row) => ReactNode;
  readonly time?: keyof Row;
  readonly money?: keyof Row;
  /** Classes: `right`, `minor` and `wide`. Narrow screens hide minor columns. */
  readonly look?: string;
  /** Where the value links to, unless the row's own link is in this column. */
  readonly link?: (row: Row) => string | undefined;
  /** Hidden until the operator chooses the column. */
  readonly isExtra?: true;
  /** The member to sort by, or the sort parameters of both directions. The first click on a right-aligned column sorts descending. */
  readonly sort?: string | readonly [rising: string, falling: string];
};

export type Selection = {
  readonly selected: readonly string[];
  readonly setSelected: (ids: readonly string[]) => void;
};

export type DataTableProps<Row> = {
  /** The name of the table for screen readers. */
  readonly label: string;
  /** On narrow screens each value shows its column's name, because sums look alike. */
  readonly isLabelled?: boolean;
  readonly columns: readonly Column<Row>[];
  /** Undefined if the rows are already loaded. */
  readonly query?: Pick<UseQueryResult<unknown>, 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>;
  /** Undefined until they are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly rowPath?: (row: Row) => string;
  /** The row whose details the page shows. */
  readonly currentKey?: string | undefined;
  readonly empty: ReactNode;
  readonly pager?: Pager;
  readonly sorting?: { readonly current: string | undefined; readonly set: (sort: string) => void };
  readonly selection?: Selection;
  readonly onPeek?: (row: Row) => void;
};

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, isLabelled = false, columns, query, rows, rowKey, empty, pager } = props;
  const { selection, sorting } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { isCompact } = usePreferences();
  useRowKeys(props, body);
  const { row } = usePlace().state;
  const failure = query?.error ? <Failure error={query.error} retry={query.refetch} /> : null;
  // The first rows are drawn in slices, so that the page stays responsive.
  const isShown = useDeferredValue(rows !== undefined, false);
  const isDrawn = isShown && rows !== undefined;
  // After the way back, the row that was opened has the focus again.
  useEffect(() => {
    if (isDrawn && row !== undefined)
      body.current
        ?.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(row)}"]`)
        ?.focus({ preventScroll: true });
  }, [isDrawn, row]);
  if (rows === undefined || !isShown) return failure ?? <Loading />;
  return (
    <>
      {failure}
      {rows.length === 0 ? (
        empty
      ) : (
        <div className="table-frame">
          <table
            className={isLabelled ? 'table labelled' : 'table'}
            data-compact={isCompact}
            aria-label={label}
            aria-busy={query?.isFetching}
            data-stale={query?.isPlaceholderData}
          >
            <thead>
              <tr>
                {selection === undefined ? null : <SelectAll ids={rows.map(rowKey)} selection={selection} />}
                {columns.map((column) => (
                  <Head key={column.title} column={column} sorting={sorting} />
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {rows.map((row) => (
                <TableRow key={rowKey(row)} {...props} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pager === undefined ? null : <Pages pager={pager} />}
    </>
  );
}

type HeadProps<Row> = {
  readonly column: Column<Row>;
  readonly sorting: DataTableProps<Row>['sorting'] | undefined;
};

function Head<Row>({ column: { title, look, sort }, sorting }: HeadProps<Row>) {
  const { current, set } = sorting ?? {};
  if (sort === undefined || set === undefined)
    return (
      <th scope="col" className={look}>
        {title}
      </th>
    );
  const [rising, falling] = typeof sort === 'string' ? [sort, `-${sort}`] : sort;
  const [first, second] = look?.includes('right') ? [falling, rising] : [rising, falling];
  const direction = current === rising ? 'ascending' : current === falling ? 'descending' : 'none';
  return (
    <th scope="col" className={look} aria-sort={direction}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        lh="24px"
        onClick={() => set(current === first ? second : first)}
      >
        {title}
        <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
      </UnstyledButton>
    </th>
  );
}

type RowProps<Row> = DataTableProps<Row> & { readonly row: Row };

function TableRow<Row>({ row, columns, rowKey, rowPath, currentKey, selection }: RowProps<Row>) {
  const id = rowKey(row);
  const isSelected = selection?.selected.includes(id) ?? false;
  return (
    <tr data-selected={isSelected || id === currentKey} aria-current={id === currentKey || undefined}>
      {selection === undefined ? null : (
        <td className="select">
          <input
            type="checkbox"
            checked={isSelected}
            onChange={() => toggle(selection, id)}
            aria-label={texts.table.selectRow(id)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.title} className={column.look} data-title={column.title}>
          {index === 0 && rowPath !== undefined ? (
            <Link to={rowPath(row)} rowKey={id}>
              {toContent(column, row)}
            </Link>
          ) : (
            linked(column.link?.(row), toContent(column, row))
          )}
        </td>
      ))}
    </tr>
  );
}

function toContent<Row>({ render, time, money, look }: Column<Row>, row: Row): ReactNode {
  if (time !== undefined) return <Time at={String(row[time])} />;
  if (money !== undefined) return <Money amount={String(row[money])} />;
  const content = render?.(row);
  if (typeof content !== 'string' || !look?.includes('wide')) return <Isolated>{content}</Isolated>;
  return (
    <span className="two-lines" title={content}>
      <Isolated>{content}</Isolated>
    </span>
  );
}

function linked(path: string | undefined, content: ReactNode): ReactNode {
  return path === undefined ? content : <Link to={path}>{content}</Link>;
}

function toggle({ selected, setSelected }: Selection, id: string): void {
  setSelected(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]);
}

function SelectAll({ ids, selection }: { readonly ids: readonly string[]; readonly selection: Selection }) {
  const here = ids.filter((id) => selection.selected.includes(id));
  const others = selection.selected.filter((id) => !ids.includes(id));
  const isAll = here.length === ids.length;
  return (
    <th scope="col" className="select">
      <input
        type="checkbox"
        aria-label={texts.table.selectAll}
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = here.length > 0 && !isAll;
        }}
        onChange={() => selection.setSelected(isAll ? others : [...others, ...ids])}
      />
    </th>
  );
}

/** `j k` move the focus from link to link; `x` and `p` act on the focused row. */
function useRowKeys<Row>(
  { rows = [], rowKey, selection, onPeek }: DataTableProps<Row>,
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
  const current = () => {
    const link = focused();
    const id = link?.dataset['rowKey'];
    const row = rows.find((one) => rowKey(one) === id);
    return link && id !== undefined && row !== undefined ? { link, id, row } : undefined;
  };
  const onRow = (act: (row: Row, id: string) => void) => () => {
    const found = current();
    if (found !== undefined) act(found.row, found.id);
  };
  useCommands(() => {
    const found = current();
    if (found === undefined) return [];
    const { link, id, row } = found;
    const name = link.textContent;
    const { unselect, select, open, look } = texts.row;
    const commands: Command[] = [{ label: open(name), icon: 'right', run: () => link.click() }];
    if (onPeek !== undefined) commands.push({ label: look(name), icon: 'search', run: () => onPeek(row) });
    if (selection !== undefined) {
      const label = (selection.selected.includes(id) ? unselect : select)(name);
      commands.push({ label, icon: 'check', run: () => toggle(selection, id) });
    }
    return commands;
  });
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: selection && onRow((_, id) => toggle(selection, id)),
    p: onPeek && onRow((row) => onPeek(row)),
  });
}

function Pages({ pager }: { readonly pager: Pager }) {
  const { newer, older } = pager;
  if (newer === undefined && older === undefined) return null;
  return (
    <Group component="nav" mt={12} aria-label={texts.table.pages}>
      <Button disabled={newer === undefined} onClick={newer}>
        ‹ {texts.table.newer}
      </Button>
      <Button disabled={older === undefined} onClick={older}>
        {common.older} ›
      </Button>
    </Group>
  );
}
