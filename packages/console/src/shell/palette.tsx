/** Search and jump: what an id stands for, pages, what can be done here, accounts and products by words; whose key a code is. */
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isMissing } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Command, currentCommands } from '../ui/commands.ts';
import { Icon } from '../ui/icons.tsx';
import { messageOf } from '../ui/states.tsx';
import { useGo } from '../url.ts';
import { useEntries } from './entries.ts';
import { kindOf } from './palette-kind.ts';
import { findCode, findMatches, findReferred, type Match } from './palette-search.ts';

const TYPING_PAUSE_MS = 200;

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const text = query.trim();
  const kind = kindOf(text);
  const choose = useChoice();
  const { matches, isSearching, error } = useMatches(text);
  const here = useHere(text);
  const found: Shown[] = isSearching
    ? [{ label: texts.palette.searching }]
    : matches.map((match) => ({ ...match, run: () => choose.open(match) }));
  const pages = usePages(text).map((page) => ({ ...page, run: () => choose.open(page) }));
  const actions = here.map((command) => ({ ...command, run: () => choose.later(command.run) }));
  const isEmpty = found.length + pages.length + actions.length === 0 && kind !== 'code';
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      transitionProps={{ duration: 0 }}
      onSpotlightClose={onClose}
      attributes={{ content: { 'aria-label': texts.common.searchOrJumpTo } }}
    >
      <Spotlight.Search
        aria-label={texts.common.searchOrJumpTo}
        placeholder={texts.palette.placeholder}
        autoComplete="off"
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {kind === 'id' ? <Group label={texts.palette.found} rows={found} /> : null}
        {kind === 'code' ? <CodeGroup key={text} code={text} open={choose.open} /> : null}
        <Group label={texts.palette.pages} rows={pages} />
        <Group label={texts.palette.here} rows={actions} />
        {kind === 'words' ? <Group label={texts.palette.found} rows={found} /> : null}
        {error !== null ? (
          <Spotlight.Empty role="alert">{messageOf(error)}</Spotlight.Empty>
        ) : isEmpty ? (
          <Spotlight.Empty>{texts.palette.nothing}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Without `run` it cannot be chosen yet. */
type Shown = Pick<Command, 'label'> & Partial<Omit<Command, 'label'>>;

/** Keyed by place: the first row stays selected when what was searched for arrives. */
function Group({ label, rows }: { readonly label: string; readonly rows: readonly Shown[] }) {
  if (rows.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={label}>
      {rows.map(({ label, icon = 'search', run }, place) => (
        <Spotlight.Action
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={place}
          label={label}
          leftSection={<Icon name={icon} />}
          closeSpotlightOnTrigger={run !== undefined}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** Only on demand, since every search for a key is in the audit log, and a reference is in an address. */
function CodeGroup(props: { readonly code: string; readonly open: (match: Match) => void }) {
  const { code, open } = props;
  const may = useMay('orders');
  const [matches, setMatches] = useState<readonly Match[]>();
  const [problem, setProblem] = useState<string>();
  const find = (search: typeof findCode, nothing: string) => () => {
    setProblem(undefined);
    search(code).then(
      (found) => (found.length === 0 ? setProblem(nothing) : setMatches(found)),
      (error: unknown) => setProblem(isMissing(error) ? nothing : messageOf(error)),
    );
  };
  return (
    <>
      {matches === undefined ? (
        <Spotlight.ActionsGroup label={texts.palette.found}>
          {may ? (
            <Spotlight.Action
              label={texts.palette.findCode}
              leftSection={<Icon name="key" />}
              closeSpotlightOnTrigger={false}
              onClick={find(findCode, texts.findKey.nothing)}
            />
          ) : null}
          <Spotlight.Action
            label={texts.palette.findReference}
            leftSection={<Icon name="orders" />}
            closeSpotlightOnTrigger={false}
            onClick={find(findReferred, texts.palette.nothing)}
          />
        </Spotlight.ActionsGroup>
      ) : (
        <Group
          label={texts.palette.found}
          rows={matches.map((match) => ({ ...match, run: () => open(match) }))}
        />
      )}
      {problem === undefined ? null : <Spotlight.Empty role="alert">{problem}</Spotlight.Empty>}
    </>
  );
}

/** The choice is carried out once the palette is gone. Without one the focus returns. */
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
  const open = ({ path, search }: Pick<Match, 'path' | 'search'>) => later(() => go(path, search));
  return { later, open };
}

function useMatches(text: string) {
  const [settled] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const isSearched = (words: string) => kindOf(words) === 'id' || kindOf(words) === 'words';
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['palette', settled],
    queryFn: () => findMatches(settled),
    enabled: isSearched(settled),
  });
  const isCurrent = settled === text && !isPlaceholderData;
  return {
    matches: isCurrent && isSearched(text) ? (data ?? []) : [],
    isSearching: isSearched(text) && (!isCurrent || (data === undefined && error === null)),
    error: isCurrent ? error : null,
  };
}

function usePages(text: string): readonly (Pick<Command, 'label' | 'icon'> & Pick<Match, 'path'>)[] {
  const entries = useEntries();
  const mayFindKeys = useMay('orders');
  const pages = [
    ...entries.map(({ path, title, entry: { icon } }) => ({ label: title, icon, path })),
    { label: texts.common.rejectedOrders, icon: 'orders' as const, path: paths.rejections },
  ];
  const findKey = { label: texts.palette.findKey, icon: 'key' as const, path: paths.findKey };
  return withWords(mayFindKeys ? [...pages, findKey] : pages, text);
}

/** The actions of the page and of the row that had the focus when the palette was opened. */
function useHere(text: string): readonly Command[] {
  const [commands] = useState(currentCommands);
  return withWords(commands, text);
}

function withWords<Row extends { readonly label: string }>(
  rows: readonly Row[],
  text: string,
): readonly Row[] {
  return rows.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
}
