import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isMissing } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { useClose } from '../forms/closing.tsx';
import type { Search } from '../places.tsx';
import { common } from '../texts.ts';
import { type Command, currentCommands } from '../ui/commands.ts';
import { Icon } from '../ui/icons.tsx';
import { takeTyped } from '../ui/keys.ts';
import { toMessage } from '../ui/wording.ts';
import { paths, useGo } from '../url.ts';
import { texts } from './palette/texts.ts';
import { findCode, findMatches, isLate, type Match } from './palette-search.ts';
import { useEntries } from './screens.ts';
import { texts as frame } from './texts.ts';
import '../mantine-more.css';

const TYPING_PAUSE_MS = 200;
/** Between attempts while the service needs too long for a kind. */
const LATE_PAUSE_MS = 1000;
const TEXT_MIN = 2;
const CODE_MIN = 8;

/** `text`: what is searched for first. */
export function Palette({ text: first = '' }: { readonly text?: string }) {
  const [query, setQuery] = useState(first);
  const text = query.trim();
  const choose = useChoice();
  const { matches, isSearching, error } = useMatches(text);
  const key = useKey(text);
  const toRun = ({ path, search, ...shown }: Match): Shown => ({
    ...shown,
    ...(path === undefined ? {} : { run: () => choose.open(path, search) }),
  });
  const found: readonly Shown[] = isSearching
    ? [{ label: texts.searching }]
    : [...matches.map(toRun), ...(key.matches?.map(toRun) ?? key.rows)];
  const actions = useOffered(text).map(
    (command): Shown => ({ ...command, run: () => choose.later(command.run) }),
  );
  const pages = usePages(text, actions.length === 0).map(toRun);
  const isNothing = !isSearching && [...pages, ...actions, ...found].length === 0;
  const enter = useEarlyEnter(text, isSearching, [...pages, ...actions, ...found]);
  const problem = key.problem ?? (error === null ? undefined : toMessage(error));
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      transitionProps={{ duration: 0 }}
      onSpotlightClose={useClose()}
      attributes={{ content: { 'aria-label': frame.search } }}
    >
      <Spotlight.Search
        aria-label={frame.search}
        placeholder={texts.placeholder}
        autoComplete="off"
        onFocus={() => setQuery((text) => takeTyped() + text)}
        onKeyDown={({ key }) => (key === 'Enter' ? enter() : undefined)}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        <Group label={texts.pages} rows={pages} />
        <Group label={texts.here} rows={actions.filter(({ isEverywhere }) => !isEverywhere)} />
        <Group label={texts.actions} rows={actions.filter(({ isEverywhere }) => isEverywhere)} />
        <Group label={texts.found} rows={found} />
        {problem !== undefined ? (
          <Spotlight.Empty role="alert">{problem}</Spotlight.Empty>
        ) : isNothing ? (
          <Spotlight.Empty>{texts.nothing}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** A row without `run` cannot be chosen. With `stays`, the palette stays open and shows the result. */
type Shown = Pick<Command, 'label'> & Partial<Omit<Command, 'label'>> & { readonly stays?: true };

/** Rows are keyed by place, so that the first one stays selected when results arrive. */
function Group({ label, rows }: { readonly label: string; readonly rows: readonly Shown[] }) {
  if (rows.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={label}>
      {rows.map(({ label, icon = 'search', run, stays }, place) => (
        <Spotlight.Action
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={place}
          label={label}
          leftSection={<Icon name={icon} />}
          closeSpotlightOnTrigger={run !== undefined && !stays}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

const SELECTED = '.mantine-Spotlight-action[data-selected]';

/** If Enter is pressed before the results arrive, or before one is selected, chooses the first result. */
function useEarlyEnter(text: string, isSearching: boolean, rows: readonly Shown[]): () => void {
  const [entered, setEntered] = useState<string>();
  const first = rows.find(({ run, stays }) => run !== undefined && !stays);
  useEffect(() => {
    if (isSearching || entered === undefined) return;
    setEntered(undefined);
    if (entered !== text || first?.run === undefined) return;
    first.run();
    spotlight.close();
  }, [isSearching, entered, text, first]);
  return () => {
    setEntered(isSearching && first === undefined ? text : undefined);
    // The library selects the first row a moment after it appears.
    if (first?.run === undefined || document.querySelector(SELECTED) !== null) return;
    first.run();
    spotlight.close();
  };
}

/** Finds a key's order only on demand, because the audit log records every search for a key. */
function useKey(text: string) {
  const may = useMay('orders');
  const [found, setFound] = useState<{ text: string; matches?: readonly Match[]; problem?: string }>();
  const run = () =>
    findCode(text).then(
      (matches) => setFound({ text, matches }),
      (error: unknown) =>
        setFound({ text, problem: isMissing(error) ? common.keyUnknown : toMessage(error) }),
    );
  const row: Shown = { label: texts.findCode, icon: 'key', run, stays: true };
  const isOpen = may && text.length >= CODE_MIN;
  const { matches, problem } = found?.text === text ? found : {};
  return { rows: isOpen ? [row] : [], matches, problem };
}

/** Runs the choice when the palette has closed. Without a choice, the focus returns. */
function useChoice() {
  const go = useGo();
  const [opener] = useState(() => document.activeElement);
  const chosen = useRef<() => void>(undefined);
  useEffect(() => {
    spotlight.open();
    return () => {
      setTimeout(() => {
        if (chosen.current !== undefined) chosen.current();
        else if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
      });
    };
  }, [opener]);
  const later = (run: () => void) => {
    chosen.current = run;
  };
  const open = (path: string, search?: Search) => later(() => go(path, search));
  return { later, open };
}

function useMatches(text: string) {
  const [settled] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const isSearched = text.length >= TEXT_MIN;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['palette', settled],
    queryFn: ({ signal }) => findMatches(settled, signal),
    enabled: settled.length >= TEXT_MIN,
    refetchInterval: ({ state }) => (state.data?.some(isLate) ? LATE_PAUSE_MS : false),
    // The text may be a key, so it is not cached.
    gcTime: 0,
  });
  const isCurrent = settled === text && !isPlaceholderData;
  return {
    matches: isCurrent && isSearched ? (data ?? []) : [],
    isSearching: isSearched && (!isCurrent || (data === undefined && error === null)),
    error: isCurrent ? error : null,
  };
}

const PARTS: readonly Match[] = [
  { label: common.catalogueParts.products, icon: 'catalogue', path: paths.catalogue },
  { label: common.catalogueParts.offers, icon: 'catalogue', path: paths.offers },
  { label: common.catalogueParts.sellers, icon: 'catalogue', path: paths.sellers },
  { label: texts.operators, icon: 'system', path: paths.operators },
  { label: texts.settings, icon: 'system', path: paths.settings },
  { label: common.profile, icon: 'accounts', path: paths.profile },
];

/** Other words for a page count only if nothing has the typed word in its own label. */
function usePages(text: string, isHinted: boolean): readonly Match[] {
  const entries = useEntries();
  const pages = [
    ...entries.map(({ path, title, icon }) => ({ label: title, icon, path })),
    { label: common.rejectedOrders, icon: 'orders' as const, path: paths.rejections },
    ...PARTS,
  ];
  const named = withWords(pages, text);
  if (named.length > 0 || !isHinted) return named;
  return pages.filter(({ label }) => texts.also.get(label)?.includes(text.toLowerCase()));
}

/** All actions, including those of the row that was focused when the palette was opened. */
function useOffered(text: string): readonly Command[] {
  const [commands] = useState(currentCommands);
  return withWords(commands, text);
}

function withWords<Row extends { readonly label: string }>(
  rows: readonly Row[],
  text: string,
): readonly Row[] {
  return rows.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
}
