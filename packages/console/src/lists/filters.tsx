/**
 * The filters of a list. They live in the URL; the search field waits until the typing pauses. Where it is narrow, several
 * filters stand behind one button.
 */
import { Button, CloseButton, NativeSelect, Popover, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLive } from '../api/queries.ts';
import { amountProblem, readAmount } from '../forms/amounts.ts';
import { type Find, SearchSelect } from '../forms/search-select.tsx';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { useKeys } from '../ui/keys.ts';
import { countFilters, useUrl } from '../url.ts';

const TYPING_PAUSE_MS = 300;
/** It is never folded. */
const SEARCH = 'query';

export function FilterBar({
  names,
  children,
}: {
  readonly names: readonly string[];
  readonly children: ReactNode;
}) {
  const { search, setFilters } = useUrl();
  const [isOpen, setOpen] = useState(false);
  const isFiltered = names.some((name) => search[name] !== undefined);
  const clear = () => setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
  const folding = names.filter((name) => name !== SEARCH);
  return (
    <search className="filters" data-folded={folding.length > 1 && !isOpen}>
      {folding.length > 1 ? (
        <Button
          className="fold"
          variant="default"
          aria-expanded={isOpen}
          rightSection={<Icon name="down" size={12} />}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.table.filters(countFilters(search, folding))}
        </Button>
      ) : null}
      {children}
      {isFiltered ? (
        <Button variant="subtle" size="xs" onClick={clear}>
          {texts.table.clearFilters}
        </Button>
      ) : null}
    </search>
  );
}

export function SearchFilter(props: {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
}) {
  const { name, label, placeholder } = props;
  const { search, setFilters } = useUrl();
  const set = search[name] ?? '';
  const [text, setText] = useState(set);
  const field = useRef<HTMLInputElement>(null);
  // Links and the browser's buttons change it too.
  useEffect(() => setText(set), [set]);
  useEffect(() => {
    if (text.trim() === set) return;
    const timer = setTimeout(() => setFilters({ [name]: text.trim() || undefined }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, set, name, setFilters]);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <TextInput
      ref={field}
      className={name === SEARCH ? 'search-filter always' : 'search-filter'}
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => (key === 'Escape' ? currentTarget.blur() : undefined)}
    />
  );
}

export function ChoiceFilter(props: {
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
  /** The first choice counts without a choice. */
  readonly isRequired?: boolean;
}) {
  const { name, label, choices, isRequired = false } = props;
  const { search, setFilters } = useUrl();
  return (
    <NativeSelect
      size="sm"
      aria-label={label}
      value={search[name] ?? ''}
      data={[
        ...(isRequired ? [] : [{ value: '', label: `${label}: ${texts.table.any.toLowerCase()}` }]),
        ...Object.entries(choices).map(([value, text]) => ({ value, label: text })),
      ]}
      onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value || undefined })}
    />
  );
}

/** Whole days of the zone that all times of the page have. */
export function DaysFilter(props: {
  readonly from?: string;
  readonly to?: string;
  /** For books, whose days are UTC's. */
  readonly isUtc?: boolean;
}) {
  const { from = 'from', to = 'to', isUtc = false } = props;
  const { search, setFilters } = useUrl();
  const ownZone = useZone();
  const zone = isUtc || search['days'] === 'utc' ? 'UTC' : ownZone;
  const field = (name: string, label: string) => (
    <TextInput
      size="sm"
      type="date"
      aria-label={`${label} (${zone})`}
      title={`${label} (${zone})`}
      value={search[name] ?? ''}
      onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value || undefined })}
    />
  );
  return (
    <span className="days">
      {field(from, texts.common.from)}
      <span aria-hidden="true">–</span>
      {field(to, texts.table.to)}
      {zone !== ownZone && !isUtc ? <span className="hint">{texts.common.utcDays}</span> : null}
    </span>
  );
}

/** Filters that are used less often, behind a button that counts those that are set. */
export function MoreFilters({
  names,
  children,
}: {
  readonly names: readonly string[];
  readonly children: ReactNode;
}) {
  const { search } = useUrl();
  return (
    <Popover position="bottom-start" trapFocus transitionProps={{ duration: 0 }} withinPortal={false}>
      <Popover.Target>
        <Button variant="default" size="sm" fw={500}>
          {texts.table.moreFilters(countFilters(search, names))}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="choices" aria-label={texts.table.filters(0)}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** A value that is typed; an amount in any form that has one meaning. */
export function TypedFilter({
  name,
  label,
  isAmount = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly isAmount?: boolean;
}) {
  const { search, setFilters } = useUrl();
  const set = search[name] ?? '';
  const [text, setText] = useState(set);
  useEffect(() => setText(set), [set]);
  const typed = text.trim();
  const error =
    isAmount && typed !== '' && typed !== set
      ? amountProblem(typed, texts.bookings.amountMissing, readAmount)
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

/** The thing that the address names; the beginning of its id until its name is loaded. */
function useChosen(name: string, find: Find = async () => []) {
  const id = useUrl().search[name];
  const { data } = useLive(['choice', name, id], (client, signal) => find(client, id, signal), {
    enabled: id !== undefined,
  });
  const known = data?.find((one) => one.id === id)?.name;
  return id === undefined ? undefined : { id, name: known ?? id.slice(0, 8) };
}

/** A thing of which the list shows only those of one. */
export function ThingFilter(props: { readonly name: string; readonly label: string; readonly find: Find }) {
  const { name, label, find } = props;
  const { setFilters } = useUrl();
  const chosen = useChosen(name, find);
  return (
    <SearchSelect
      // Its text is that of the thing that was chosen.
      key={chosen?.name}
      name={name}
      label={label}
      chosen={chosen}
      error={undefined}
      find={find}
      onChoose={(choice) => void setFilters({ [name]: choice.id })}
    />
  );
}

/** A filter that a link has set: it shows what it is and can be taken away. */
export function TextFilter(props: {
  readonly name: string;
  /** Goes with it. */
  readonly also?: string;
  readonly label: string;
  /** Shown instead of the beginning of an id; or what finds it. */
  readonly value?: string;
  readonly find?: Find | undefined;
}) {
  const { name, also, label, find } = props;
  const { setFilters } = useUrl();
  const chosen = useChosen(name, find);
  if (chosen === undefined) return null;
  return (
    <span className="text-filter">
      {label} {props.value ?? (find === undefined ? <code>{chosen.name}</code> : chosen.name)}
      <CloseButton
        size="sm"
        aria-label={texts.table.removeFilter(label)}
        onClick={() =>
          setFilters({ [name]: undefined, ...(also === undefined ? {} : { [also]: undefined }) })
        }
      />
    </span>
  );
}
