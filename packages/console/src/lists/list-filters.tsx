/** The filters and tabs of a list, as the contract declares them. */
import { LIST_FILTERS, LIST_TABS, type ListFilter } from '@keyport/contract/list-filters';
import { Button, Group } from '@mantine/core';
import { type ReactNode, use } from 'react';
import type { ListName } from '../api/queries.ts';
import { App } from '../app.ts';
import type { Search } from '../places.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { formatDay, formatMoney } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { dayEnd, dayStart } from './days.ts';
import {
  ChoiceFilter,
  DaysFilter,
  FilterBar,
  SearchFilter,
  TextFilter,
  ThingFilter,
  TypedFilter,
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
  return Object.fromEntries(
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
}

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
      {all.map(([name, { label, hint, replaces = name }]) =>
        hint === undefined ? null : (
          <SearchFilter key={name} name={name} label={label} placeholder={hint} also={replaces} />
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
              choices={offered.map(([name, filter]) => toField(name, filter, finds))}
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
  if (format === 'money') return formatMoney(value);
  return format === 'text' || hint !== undefined ? value : undefined;
}

function toField(name: string, filter: ListFilter, finds: App['finds']): ReactNode {
  const { label, labels, format = 'text', days } = filter;
  const shared = { name, label };
  const find = finds[format];
  if (days !== undefined)
    return (
      <Group key={name} component="fieldset" gap={4}>
        <legend>{label}</legend>
        <DaysFilter />
      </Group>
    );
  if (labels !== undefined) return <ChoiceFilter {...shared} key={name} choices={labels} isLabelled />;
  if (find !== undefined) return <ThingFilter {...shared} key={name} find={find} />;
  return <TypedFilter {...shared} key={name} isAmount={format === 'money'} />;
}
