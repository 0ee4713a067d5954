/** The bar of a selection: its size, the choice of all matches, and the actions on them. */
import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { common } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { InlineFailure } from '../ui/page.tsx';
import { SELECTED_MAX } from '../url.ts';
import type { Selection } from './data-table.tsx';
import { texts } from './texts.ts';

/** The maximum per bulk action, which then takes about a minute. */
const MATCHES_MAX = 10_000;

export type Chosen<Row = unknown> = {
  readonly ids: readonly string[];
  /** The rows of all matches; undefined if only some rows are selected. */
  readonly rows: readonly Row[] | undefined;
  /** True if the ids are those of all matches, whose rows may be on other pages. */
  readonly isAll: boolean;
  /** Selects only these, such as those that failed. */
  readonly keep: (ids: readonly string[]) => void;
};

export function Selected<Row>(props: {
  readonly selection: Selection;
  readonly all: () => AsyncIterable<Row>;
  readonly rowKey: (row: Row) => string;
  /** A note about the selected rows, shown beside their number. */
  readonly note?: string | undefined;
  readonly actions: (chosen: Chosen<Row>) => ReactNode;
}) {
  const { selection, all, rowKey, note, actions } = props;
  const { selected, setSelected } = selection;
  const matches = useMatches(all, rowKey);
  const clear = () => setSelected([]);
  useKeys({ Escape: clear });
  const keep = (ids: readonly string[]) => {
    // The URL has room for some ids only.
    matches.keep(ids.length > SELECTED_MAX ? ids : []);
    setSelected(ids);
  };
  return (
    <Group
      component="section"
      className="bulk"
      pos="sticky"
      bottom={0}
      mt={12}
      p={12}
      bg="var(--selected)"
      bd="1px solid var(--line)"
      bdrs="6px 6px 0 0"
      aria-label={common.selected(selected.length)}
    >
      <span className="grow" aria-live="polite">
        {matches.found !== undefined
          ? texts.selection.collecting(matches.found)
          : matches.ids === undefined
            ? [common.selected(selected.length), note].filter(Boolean).join(' · ')
            : texts.selection.matches(matches.ids.length)}
        {matches.ids?.length === MATCHES_MAX ? ` ${texts.selection.most(MATCHES_MAX)}` : null}
      </span>
      <InlineFailure error={matches.error} />
      {matches.ids === undefined ? (
        <Button variant="subtle" loading={matches.found !== undefined} onClick={() => void matches.collect()}>
          {texts.selection.all}
        </Button>
      ) : null}
      {actions({
        ids: matches.ids ?? selected,
        rows: matches.rows,
        isAll: matches.ids !== undefined,
        keep,
      })}
      <Button variant="subtle" onClick={clear}>
        {common.clearSelection}
      </Button>
    </Group>
  );
}

function useMatches<Row>(all: () => AsyncIterable<Row>, rowKey: (row: Row) => string) {
  const [rows, setRows] = useState<readonly Row[]>();
  /** The number found so far, while matches are being collected. */
  const [found, setFound] = useState<number>();
  const [error, setError] = useState<unknown>();
  const collect = async () => {
    const collected: Row[] = [];
    setFound(0);
    setError(undefined);
    try {
      for await (const row of all()) {
        collected.push(row);
        if (collected.length % 100 === 0) setFound(collected.length);
        if (collected.length === MATCHES_MAX) break;
      }
      setRows(collected);
    } catch (thrown) {
      setError(thrown);
    }
    setFound(undefined);
  };
  const keep = (ids: readonly string[]) => {
    const kept = new Set(ids);
    setRows(kept.size === 0 ? undefined : rows?.filter((row) => kept.has(rowKey(row))));
  };
  return { ids: rows?.map(rowKey), rows, found, error, collect, keep };
}
