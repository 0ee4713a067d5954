import { isOrderId } from '@keyport/core/ids';
import { looksLikeKey } from '@keyport/core/product-code';
import { Button, CloseButton, Group, NativeSelect, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useLive } from '../api/queries.ts';
import { App } from '../app.ts';
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
const KEY_END_LENGTH = 4;

export function FilterBar({
  names,
  children,
}: {
  readonly names: readonly string[];
  readonly children: ReactNode;
}) {
  const { search, setFilters } = useUrl();
  const clear = () => setFilters(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <search className="filters">
      {children}
      {countFilters(search, names) > 1 ? (
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

/**
 * Applies the text when typing pauses. A key does not leave the field, because the URL is stored in the history and in
 * logs: a reseller's page sends only its end, an operator's page asks what to do.
 */
export function SearchFilter(
  props: FieldProps & { readonly placeholder: string; readonly mayBeKey?: boolean },
) {
  const { name, label, placeholder, mayBeKey = false } = props;
  const { set, text, setText, setFilters } = useTyped(name);
  const field = useRef<HTMLInputElement>(null);
  const { findKey } = use(App);
  const typed = toSearched(text);
  const isKey = looksLikeKey(typed);
  const isKept = findKey !== undefined && text !== set && isKey;
  useEffect(() => {
    const wanted = mayBeKey && isKey ? typed.slice(-KEY_END_LENGTH) : typed;
    if (wanted === set || isKept) return;
    const timer = setTimeout(() => setFilters({ [name]: wanted || undefined }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, set, name, mayBeKey, isKey, isKept, setFilters]);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <>
      <TextInput
        ref={field}
        className="search-filter"
        w={380}
        type="search"
        size="sm"
        aria-label={label}
        placeholder={placeholder}
        leftSection={<Icon name="search" />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => (key === 'Escape' ? currentTarget.blur() : undefined)}
      />
      {isKept ? (
        <Group gap={4} role="status">
          <Hint span>{texts.table.looksLikeKey}</Hint>
          <Button size="compact-sm" onClick={() => findKey(text.trim())}>
            {texts.table.findKey}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => setFilters({ [name]: text.trim() })}>
            {texts.table.findText}
          </Button>
        </Group>
      ) : null}
    </>
  );
}

/** The pages show the id of an order in groups of four. */
function toSearched(text: string): string {
  const joined = text.replaceAll(' ', '');
  return isOrderId(joined) ? joined : text.trim();
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

/** The values of a filter, each as a button. */
export function ValuesFilter(
  props: FieldProps & { readonly values: Readonly<Record<string, string>>; readonly onDone: () => void },
) {
  const { name, label, values, onDone } = props;
  const { search, setFilters } = useUrl();
  const choose = (value: string) => {
    setFilters({ [name]: value });
    onDone();
  };
  return (
    <Stack role="group" aria-label={label} gap={2}>
      {Object.entries(values).map(([value, text]) => (
        <MenuButton key={value} isPressed={value === search[name]} onClick={() => choose(value)}>
          {text}
        </MenuButton>
      ))}
    </Stack>
  );
}

export function MenuButton(props: {
  readonly isPressed?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Button
      variant="subtle"
      color="gray"
      justify="start"
      fw={400}
      c="inherit"
      aria-pressed={props.isPressed}
      onClick={props.onClick}
    >
      {props.children}
    </Button>
  );
}

/** A typed value; an amount may have any unambiguous form. */
export function TypedFilter(
  props: FieldProps & { readonly isAmount?: boolean; readonly onDone: () => void },
) {
  const { name, label, isAmount = false, onDone } = props;
  const { set, text, setText, setFilters } = useTyped(name);
  const typed = text.trim();
  const error =
    isAmount && typed !== '' && typed !== set
      ? amountProblem(typed, common.amountMissing, readAmount)
      : undefined;
  const apply = () => {
    if (error !== undefined) return false;
    if (typed !== set) setFilters({ [name]: (isAmount ? readAmount(typed) : typed) || undefined });
    return true;
  };
  return (
    <TextInput
      size="xs"
      label={label}
      value={text}
      error={error}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => void apply()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !apply()) return;
        // Otherwise the key would press the button that gets the focus.
        event.preventDefault();
        onDone();
      }}
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

/** Suspends until its field is loaded. */
export function ThingFilter(props: FieldProps & { readonly find: Find; readonly onDone: () => void }) {
  const { name, label, find, onDone } = props;
  const { setFilters } = useUrl();
  const chosen = useChosen(name, find);
  return (
    <SearchSelect
      // A new choice resets the text.
      key={chosen?.name}
      name={name}
      label={label}
      chosen={chosen}
      error={undefined}
      find={find}
      onChoose={({ id }) => {
        setFilters({ [name]: id });
        onDone();
      }}
    />
  );
}

/** A filter that is set: it shows its value and can be removed. */
export function TextFilter(props: {
  /** The first one is the filter's; the others belong to it. */
  readonly names: readonly string[];
  readonly label: string;
  /** The chip shows this text instead of the name or the beginning of the id. */
  readonly value?: string | undefined;
  readonly find?: Find | undefined;
  /** Changes the value. */
  readonly editor?: ((onDone: () => void) => ReactNode) | undefined;
}) {
  const { names, label, value, find, editor } = props;
  const { setFilters } = useUrl();
  const chosen = useChosen(names[0] ?? '', value === undefined ? find : undefined);
  const shown = (
    <>
      <Hint span>{label}</Hint>{' '}
      {value === undefined && find === undefined ? (
        <code>{chosen?.name}</code>
      ) : (
        <Isolated>{value ?? chosen?.name}</Isolated>
      )}
    </>
  );
  return (
    <Group component="span" className="text-filter" gap={6} p="3px 4px 3px 10px" bdrs={16} fz={13}>
      {editor === undefined ? (
        shown
      ) : (
        <Opener
          button={(opener) => (
            <UnstyledButton fz="inherit" {...opener}>
              {shown}
            </UnstyledButton>
          )}
          menu={(menu) => (
            <Choices {...menu} position="bottom-start" label={label} choices={editor(menu.onClose)} />
          )}
        />
      )}
      <CloseButton
        size="sm"
        aria-label={texts.table.removeFilter(label)}
        onClick={() => setFilters(Object.fromEntries(names.map((name) => [name, undefined])))}
      />
    </Group>
  );
}
