/** The filters and tabs of a list, as the contract declares them. */

import { LIST_FILTERS, LIST_TABS, type ListFilter } from '@keyport/contract/list-filters';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, Suspense, use, useState } from 'react';
import type { ListName } from '../api/queries.ts';
import { App } from '../app.ts';
import type { Search } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common, formatMoney } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { Presets } from '../ui/presets.tsx';
import { formatDay } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { areBackwards, dayEnd, dayIn, dayStart } from './days.ts';
import {
  DaysFilter,
  FilterBar,
  MenuButton,
  SearchFilter,
  TextFilter,
  ThingFilter,
  TypedFilter,
  ValuesFilter,
} from './filters.tsx';
import { texts } from './texts.ts';

const Choices = lazyPart(async () => (await import('../ui/choices.tsx')).Choices);

type Filters = Readonly<Record<string, ListFilter>>;

export type ListTab = { readonly label: string; readonly search: Search };

export function filtersOf(list: ListName): Filters {
  return { ...(LIST_FILTERS as Readonly<Record<string, Filters>>)[list] };
}

/** The choices of the filter that is shown as tabs, or else the names that the contract gives to some filters. */
export function tabsOf(list: ListName): readonly ListTab[] {
  const [name, filter] = Object.entries(filtersOf(list)).find(([, { isTabs }]) => isTabs) ?? [];
  if (name !== undefined)
    return Object.entries(filter?.labels ?? {}).map(([value, label], place) => ({
      label,
      search: place === 0 ? {} : { [name]: value },
    }));
  const named = Object.entries(LIST_TABS[list] ?? {}).map(([label, search]) => ({ label, search }));
  return named.length === 0 ? [] : [{ label: common.all, search: {} }, ...named];
}

/** The tab whose filters are set; others may be set too. The one with the most filters wins. */
export function openTab(tabs: readonly ListTab[], search: Search): ListTab | undefined {
  const isPart = ({ search: part }: ListTab) =>
    Object.entries(part).every(([name, value]) => search[name] === value);
  const toSize = (tab: ListTab) => Object.keys(tab.search).length;
  return tabs
    .filter(isPart)
    .toSorted((one, other) => toSize(one) - toSize(other))
    .at(-1);
}

/** The parameters of the URL that filters use. */
export function toNames(filters: Filters): readonly string[] {
  return Object.entries(filters).flatMap(([name, { days }]) =>
    days === undefined ? name : ['from', 'to', 'days'],
  );
}

/** The operation's parameters for a search in the URL. */
export function toParameters(filters: Filters, search: Search, ownZone: string): Search {
  const zone = search['days'] === 'utc' ? 'UTC' : ownZone;
  const parameters = Object.fromEntries(
    Object.entries(filters).flatMap(([name, { days, isTabs, labels = {} }]) => {
      if (days !== undefined)
        return [
          [days[0], dayStart(search['from'], zone)],
          [days[1], dayEnd(search['to'], zone)],
        ];
      const value = search[name] ?? (isTabs ? Object.keys(labels)[0] : undefined);
      return [[name, isTabs && value === 'all' ? undefined : value]];
    }),
  );
  // Amounts of different currencies cannot be compared.
  const hasAmount = Object.entries(filters).some(([name, { format }]) => format === 'money' && search[name]);
  return 'currency' in filters && hasAmount ? { ...parameters, currency: toCurrency(search) } : parameters;
}

const toCurrency = (search: Search) => search['currency'] ?? 'EUR';

const isSet = (name: string, { days }: ListFilter, search: Search) =>
  (days === undefined ? [name] : ['from', 'to']).some((one) => search[one] !== undefined);

/** The search, a chip for each filter that is set, and the other filters behind a button. */
export function ListFilters({ list }: { readonly list: ListName }) {
  const { finds } = use(App);
  const { search } = useUrl();
  const filters = filtersOf(list);
  const all = Object.entries(filters);
  const others = all.filter(([, { hint, isTabs }]) => hint === undefined && isTabs !== true);
  // The open tab already says what its filters are.
  const ofTab = openTab(tabsOf(list), search)?.search ?? {};
  const offered = others.filter(([, { format = '' }]) => format !== 'id');
  if (all.length === 0) return null;
  return (
    <FilterBar names={toNames(Object.fromEntries(all.filter(([, { isTabs }]) => isTabs !== true)))}>
      {all.map(([name, { label, hint, mayBeKey = false }]) =>
        hint === undefined ? null : (
          <SearchFilter key={name} name={name} label={label} placeholder={hint} mayBeKey={mayBeKey} />
        ),
      )}
      {others.map(([name, filter]) =>
        isSet(name, filter, search) && !(name in ofTab) ? (
          <TextFilter
            key={name}
            names={filter.days === undefined ? [name] : ['from', 'to', 'days']}
            label={filter.label}
            value={toText(name, filter, search)}
            find={finds[filter.format ?? '']}
            editor={filter.format === 'id' ? undefined : (onDone) => toEditor(name, filter, finds, onDone)}
          />
        ) : null,
      )}
      {offered.length === 0 ? null : (
        <Opener
          button={(opener) => (
            <Button size="sm" fw={500} leftSection={<Icon name="filter" size={14} />} {...opener}>
              {texts.table.filter}
            </Button>
          )}
          menu={(menu) => (
            <Choices
              {...menu}
              position="bottom-start"
              label={texts.table.filter}
              choices={<FilterMenu offered={offered} onDone={menu.onClose} />}
            />
          )}
        />
      )}
    </FilterBar>
  );
}

/** The values of the filters that are set, for a file's name. */
export function describeFilters(filters: Filters, search: Search): string[] {
  return Object.entries(filters).flatMap(([name, filter]) =>
    isSet(name, filter, search) ? (toText(name, filter, search) ?? search[name]?.slice(0, 8) ?? []) : [],
  );
}

/** The text of a chip; undefined if the name of an id has to be looked up. */
function toText(
  name: string,
  { labels, days, hint, format = 'text' }: ListFilter,
  search: Search,
): string | undefined {
  const value = search[name] ?? '';
  if (days !== undefined) {
    const [from, to] = [search['from'], search['to']].map((day) => day && formatDay(day));
    const text = texts.table.days(from, to);
    return search['days'] === 'utc' ? `${text} (UTC)` : text;
  }
  if (labels !== undefined) return labels[value] ?? value;
  if (format === 'money') return formatMoney(value, toCurrency(search));
  return NAMED_BY_VALUE.includes(format) || hint !== undefined ? value : undefined;
}

const NAMED_BY_VALUE = ['text', 'currency', 'region'];

/** The names of the filters, and then the values of one. */
function FilterMenu(props: {
  readonly offered: readonly (readonly [string, ListFilter])[];
  readonly onDone: () => void;
}) {
  const { offered, onDone } = props;
  const { finds } = use(App);
  const [open, setOpen] = useState<string>();
  const [first, ...others] = offered;
  const chosen = others.length === 0 ? first : offered.find(([name]) => name === open);
  if (chosen === undefined)
    return (
      <Stack gap={2}>
        {offered.map(([name, { label }]) => (
          <MenuButton key={name} onClick={() => setOpen(name)}>
            {label}
          </MenuButton>
        ))}
      </Stack>
    );
  return toEditor(...chosen, finds, onDone);
}

/** The first field or button gets the focus, which the chosen name had. */
function toEditor(name: string, filter: ListFilter, finds: App['finds'], onDone: () => void): ReactNode {
  return (
    <Suspense key={name}>
      <div ref={focusFirst}>{toField(name, filter, finds, onDone)}</div>
    </Suspense>
  );
}

function focusFirst(editor: HTMLElement | null): void {
  editor?.querySelector<HTMLElement>('input, button')?.focus();
}

function DaysField({ label }: { readonly label: string }) {
  const { search } = useUrl();
  return (
    <Group component="fieldset" gap={4} maw={340}>
      <legend>{label}</legend>
      <DaysFilter />
      {areBackwards(search) ? (
        <Text size="xs" c="var(--bad)" role="alert">
          {texts.table.backwards}
        </Text>
      ) : null}
      <LatestDays />
    </Group>
  );
}

function toField(name: string, filter: ListFilter, finds: App['finds'], onDone: () => void): ReactNode {
  const { label, labels, format = 'text', days } = filter;
  const shared = { name, label, onDone };
  const find = finds[format];
  if (days !== undefined) return <DaysField label={label} />;
  if (labels !== undefined) return <ValuesFilter {...shared} values={labels} />;
  if (find !== undefined) return <ThingFilter {...shared} find={find} />;
  return <TypedFilter {...shared} isAmount={format === 'money'} />;
}

/** The days before today that a range has. */
const BEFORE_TODAY = { today: 0, last7: 6, last30: 29 };
const DAY_MS = 86_400_000;

function LatestDays() {
  const { search, setFilters } = useUrl();
  const ownZone = useZone();
  const to = dayIn(search['days'] === 'utc' ? 'UTC' : ownZone, new Date());
  const toFrom = (days: number) => new Date(Date.parse(to) - days * DAY_MS).toISOString().slice(0, 10);
  const names = Object.keys(BEFORE_TODAY) as (keyof typeof BEFORE_TODAY)[];
  return (
    <Presets
      label={texts.months.presets}
      choices={texts.latestDays}
      chosen={names.find((name) => search['from'] === toFrom(BEFORE_TODAY[name]) && search['to'] === to)}
      onChoose={(name) => setFilters({ from: toFrom(BEFORE_TODAY[name]), to })}
    />
  );
}
