/** The bar of a selection: its size, the choice of all matches, and the actions on them. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { common } from '../texts.ts';
import { useKeys } from '../ui/keys.ts';
import { InlineFailure } from '../ui/page.tsx';
import type { Selection } from './data-table.tsx';
import { texts } from './texts.ts';

/** The maximum per bulk action, which then takes about a minute. */
const MATCHES_MAX = 10_000;

export type Chosen = {
  readonly ids: readonly string[];
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
  readonly actions: (chosen: Chosen) => ReactNode;
}) {
  const { selection, all, rowKey, note, actions } = props;
  const { selected, setSelected } = selection;
  const matches = useMatches(all, rowKey);
  const clear = () => setSelected([]);
  useKeys({ Escape: clear });
  const keep = (ids: readonly string[]) => {
    matches.clear();
    setSelected(ids);
  };
  return (
    <section className="bulk" aria-label={common.selected(selected.length)}>
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
      {actions({ ids: matches.ids ?? selected, isAll: matches.ids !== undefined, keep })}
      <Button variant="subtle" onClick={clear}>
        {common.clearSelection}
      </Button>
    </section>
  );
}

function useMatches<Row>(all: () => AsyncIterable<Row>, rowKey: (row: Row) => string) {
  const [ids, setIds] = useState<readonly string[]>();
  /** The number found so far, while matches are being collected. */
  const [found, setFound] = useState<number>();
  const [error, setError] = useState<unknown>();
  const collect = async () => {
    const keys: string[] = [];
    setFound(0);
    setError(undefined);
    try {
      for await (const row of all()) {
        keys.push(rowKey(row));
        if (keys.length % 100 === 0) setFound(keys.length);
        if (keys.length === MATCHES_MAX) break;
      }
      setIds(keys);
    } catch (thrown) {
      setError(thrown);
    }
    setFound(undefined);
  };
  return { ids, found, error, collect, clear: () => setIds(undefined) };
}
