/** The filters of a list, as the contract declares them. */
import { LIST_FILTERS, type ListFilter } from '@keyport/contract/list-filters';
import { type ReactNode, use } from 'react';
import type { ListName } from '../api/queries.ts';
import { App } from '../app.ts';
import {
  ChoiceFilter,
  DaysFilter,
  FilterBar,
  MoreFilters,
  SearchFilter,
  TextFilter,
  ThingFilter,
  TypedFilter,
} from './filters.tsx';

type Filters = Readonly<Record<string, ListFilter>>;

export function filtersOf(list: ListName): Filters {
  return { ...(LIST_FILTERS as Readonly<Record<string, Filters>>)[list] };
}

/** The parameters of the URL that filters use. */
export function toNames(filters: Filters): readonly string[] {
  return Object.entries(filters).flatMap(([name, { days }]) =>
    days === undefined ? name : ['from', 'to', 'days'],
  );
}

export function ListFilters({ list }: { readonly list: ListName }) {
  const { finds } = use(App);
  const filters = filtersOf(list);
  const all = Object.entries(filters);
  const isMore = ({ isRare, format }: ListFilter) =>
    isRare === true || format === 'text' || format === 'money';
  const more = all.filter(([, filter]) => isMore(filter));
  return (
    <FilterBar names={toNames(filters)}>
      {all.filter(([, filter]) => !isMore(filter)).map(([name, filter]) => toField(name, filter, finds))}
      {more.length === 0 ? null : (
        <MoreFilters names={more.map(([name]) => name)}>
          {more.map(([name, filter]) => toField(name, filter, finds))}
        </MoreFilters>
      )}
      {all.map(([name, { label, format = 'text' }]) =>
        isLinked(format, finds) ? (
          <TextFilter key={name} name={name} label={label} find={finds[format]} />
        ) : null,
      )}
    </FilterBar>
  );
}

const isLinked = (format: string, finds: App['finds']) => format === 'id' || format in finds;

function toField(name: string, filter: ListFilter, finds: App['finds']): ReactNode {
  const { label, hint, replaces = name, labels, format = 'text', days, isRequired = false, isRare } = filter;
  const shared = { name, label };
  const find = finds[format];
  if (hint !== undefined) return <SearchFilter {...shared} key={name} placeholder={hint} also={replaces} />;
  if (days !== undefined) return <DaysFilter key={name} />;
  if (labels !== undefined)
    return <ChoiceFilter {...shared} key={name} choices={labels} isRequired={isRequired} />;
  if (isLinked(format, finds))
    return isRare && find !== undefined ? <ThingFilter {...shared} key={name} find={find} /> : null;
  return <TypedFilter {...shared} key={name} isAmount={format === 'money'} />;
}
