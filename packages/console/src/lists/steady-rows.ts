/** Rows that do not move under the pointer: a live list updates the shown rows and only counts new ones. */
import { useRef, useState } from 'react';

export function useSteadyRows<Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
  /** Identifies the filter and page. */
  list: string,
  /** True while the rows are those of the previous list. */
  isLoading: boolean,
) {
  const shown = useRef<{ readonly list: string; readonly ids: readonly string[] }>(undefined);
  const [, redraw] = useState(0);
  const ids = rows?.map(rowKey) ?? [];
  if (rows !== undefined && !isLoading && (shown.current?.list !== list || shown.current.ids.length === 0)) {
    shown.current = { list, ids };
  }
  const known = new Set(shown.current?.ids);
  const count = ids.filter((id) => !known.has(id)).length;
  const show = () => {
    shown.current = { list, ids };
    redraw((before) => before + 1);
  };
  if (isLoading) return { rows, newCount: 0, show };
  return { rows: rows?.filter((row) => known.has(rowKey(row))), newCount: count, show };
}
