import { Button, CloseButton, Group, NativeSelect, TextInput } from '@mantine/core';
import { type CSSProperties, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLive } from '../api/queries.ts';
import { amountProblem, readAmount } from '../forms/amounts.ts';
import type { Find } from '../forms/search-select.tsx';
import { useZone } from '../preferences.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Icon } from '../ui/icons.tsx';
import { useKeys } from '../ui/keys.ts';
import { Opener } from '../ui/opener.tsx';
import { Isolated } from '../ui/values.tsx';
import { countFilters, useUrl } from '../url.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

const Choices = lazyPart(async () => (await import('../ui/choices.tsx')).Choices);
const SearchSelect = lazyPart(async () => (await import('../forms/search-select.tsx')).SearchSelect);

const TYPING_PAUSE_MS = 300;
/** The search field is never collapsed. */
const SEARCH = 'query';

type GroupProps = { readonly names: readonly string[]; readonly children: ReactNode };

export function FilterBar({ names, children }: GroupProps) {
  const { search, setFilters } = useUrl();
  const [isOpen, setOpen] = useState(false);
  const isFiltered = names.some((name) => search[name] !== undefined);
  const clear = () => setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
  const folding = names.filter((name) => name !== SEARCH);
  return (
    <search className="filters" data-folded={folding.length > 1 && !isOpen}>
      {folding.length > 1 ? (
        <Button
          size="sm"
          className="fold"
          aria-expanded={isOpen}
          rightSection={<Icon name="down" size={12} />}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.table.filters(countFilters(search, folding))}
        </Button>
      ) : null}
      {children}
      {isFiltered ? (
        <Button variant="subtle" onClick={clear}>
          {texts.table.clearFilters}
        </Button>
      ) : null}
    </search>
  );
}

/** The typed value; links and the browser's Back and Forward buttons change it too. */
function useTyped(name: string) {
  const { search, setFilters } = useUrl();
  const set = search[name] ?? '';
  const [text, setText] = useState(set);
  useEffect(() => setText(set), [set]);
  return { set, text, setText, setFilters };
}

type FieldProps = { readonly name: string; readonly label: string };

/** Applies the text when typing pauses. `also` is another filter that the text replaces. */
export function SearchFilter(props: FieldProps & { readonly placeholder: string; readonly also?: string }) {
  const { name, also = name, label, placeholder } = props;
  const { set, text, setText, setFilters } = useTyped(name);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (text.trim() === set) return;
    const timer = setTimeout(
      () => setFilters({ [also]: undefined, [name]: text.trim() || undefined }),
      TYPING_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [text, set, name, also, setFilters]);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <TextInput
      ref={field}
      className={name === SEARCH ? 'search-filter always' : 'search-filter'}
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      style={{ '--letters': placeholder.length } as CSSProperties}
      leftSection={<Icon name="search" />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => (key === 'Escape' ? currentTarget.blur() : undefined)}
    />
  );
}

type ChoiceProps = FieldProps & {
  readonly choices: Readonly<Record<string, string>>;
  /** The first choice is the default. */
  readonly isRequired?: boolean;
};

export function ChoiceFilter({ name, label, choices, isRequired = false }: ChoiceProps) {
  const { search, setFilters } = useUrl();
  return (
    <NativeSelect
      size="sm"
      aria-label={label}
      value={search[name] ?? ''}
      data={[
        ...(isRequired ? [] : [{ value: '', label: texts.table.any(label) }]),
        ...Object.entries(choices).map(([value, text]) => ({ value, label: text })),
      ]}
      onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value || undefined })}
    />
  );
}

export type Days = { readonly from: string; readonly to: string };

/** Whole days in the time zone that the page uses. */
export function DaysFilter(props: {
  /** For the books, which use UTC days. */
  readonly isUtc?: boolean;
  /** The days that the service uses by default. */
  readonly defaults?: Days | undefined;
}) {
  const { isUtc = false, defaults } = props;
  const { search, setFilters } = useUrl();
  const ownZone = useZone();
  const zone = isUtc || search['days'] === 'utc' ? 'UTC' : ownZone;
  const field = (name: string, label: string, day = '') => (
    <TextInput
      size="sm"
      type="date"
      aria-label={`${label} (${zone})`}
      title={`${label} (${zone})`}
      value={search[name] ?? day}
      onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value || undefined })}
    />
  );
  return (
    <Group component="span" gap={6}>
      {field('from', common.from, defaults?.from)}
      <span aria-hidden="true">–</span>
      {field('to', texts.table.to, defaults?.to)}
      {zone !== ownZone && !isUtc ? <Hint span>{common.utcDays}</Hint> : null}
    </Group>
  );
}

/** Filters that are used less often, behind a button that counts those that are set. */
export function MoreFilters({ names, children }: GroupProps) {
  const { search } = useUrl();
  return (
    <Opener
      button={(opener) => (
        <Button size="sm" fw={500} {...opener}>
          {texts.table.moreFilters(countFilters(search, names))}
        </Button>
      )}
      menu={(menu) => (
        <Choices {...menu} position="bottom-start" label={texts.table.filters(0)} choices={children} />
      )}
    />
  );
}

/** A typed value; an amount may have any unambiguous form. */
export function TypedFilter({ name, label, isAmount = false }: FieldProps & { readonly isAmount?: boolean }) {
  const { set, text, setText, setFilters } = useTyped(name);
  const typed = text.trim();
  const error =
    isAmount && typed !== '' && typed !== set
      ? amountProblem(typed, common.amountMissing, readAmount)
      : undefined;
  const apply = () =>
    typed === set || error !== undefined
      ? undefined
      : setFilters({ [name]: (isAmount ? readAmount(typed) : typed) || undefined });
  return (
    <TextInput
      size="xs"
      label={label}
      value={text}
      error={error}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => void apply()}
      onKeyDown={({ key }) => (key === 'Enter' ? void apply() : undefined)}
    />
  );
}

/** The choice in the URL. The beginning of its id is shown until its name is loaded. */
function useChosen(name: string, find: Find = async () => []) {
  const id = useUrl().search[name];
  const { data } = useLive(['choice', name, id], (client, signal) => find(client, id, signal), {
    enabled: id !== undefined,
  });
  const known = data?.find((one) => one.id === id)?.name;
  return id === undefined ? undefined : { id, name: known ?? id.slice(0, 8) };
}

export function ThingFilter({ name, label, find }: FieldProps & { readonly find: Find }) {
  const { setFilters } = useUrl();
  const chosen = useChosen(name, find);
  return (
    <Suspense>
      <SearchSelect
        // A new choice resets the text.
        key={chosen?.name}
        name={name}
        label={label}
        chosen={chosen}
        error={undefined}
        find={find}
        onChoose={(choice) => void setFilters({ [name]: choice.id })}
      />
    </Suspense>
  );
}

/** A filter that a link has set: it shows its value and can be removed. */
export function TextFilter(
  props: FieldProps & {
    readonly also?: string;
    /** Shown instead of the name or the beginning of the id. */
    readonly value?: string;
    readonly find?: Find | undefined;
  },
) {
  const { name, also = name, label, find } = props;
  const { setFilters } = useUrl();
  const chosen = useChosen(name, find);
  if (chosen === undefined) return null;
  return (
    <Group
      component="span"
      className="text-filter"
      gap={6}
      p="2px 4px 2px 10px"
      bg="var(--selected)"
      bdrs={12}
    >
      {label}{' '}
      {props.value ?? (find === undefined ? <code>{chosen.name}</code> : <Isolated>{chosen.name}</Isolated>)}
      <CloseButton
        size="sm"
        aria-label={texts.table.removeFilter(label)}
        onClick={() => setFilters({ [name]: undefined, [also]: undefined })}
      />
    </Group>
  );
}
