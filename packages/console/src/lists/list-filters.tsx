/** The filters of a list, as the contract declares them. */
import { LIST_FILTERS, type ListFilter } from '@keyport/contract/list-filters';
import type { OperatorList } from '@keyport/sdk/admin';
import type { ReactNode } from 'react';
import { FINDS } from '../catalogue/choices.ts';
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

export function filtersOf(list: OperatorList): Filters {
  return { ...(LIST_FILTERS as Readonly<Record<string, Filters>>)[list] };
}

/** The parameters of the URL that filters use. */
export function toNames(filters: Filters): readonly string[] {
  return Object.entries(filters).flatMap(([name, { days }]) =>
    days === undefined ? name : ['from', 'to', 'days'],
  );
}

export function ListFilters({ list }: { readonly list: OperatorList }) {
  const filters = filtersOf(list);
  const all = Object.entries(filters);
  const isMore = ({ isRare, format }: ListFilter) =>
    isRare === true || format === 'text' || format === 'money';
  const more = all.filter(([, filter]) => isMore(filter));
  return (
    <FilterBar names={toNames(filters)}>
      {all.filter(([, filter]) => !isMore(filter)).map(([name, filter]) => toField(name, filter))}
      {more.length === 0 ? null : (
        <MoreFilters names={more.map(([name]) => name)}>
          {more.map(([name, filter]) => toField(name, filter))}
        </MoreFilters>
      )}
      {all.map(([name, { label, format = 'text' }]) =>
        isLinked(format) ? <TextFilter key={name} name={name} label={label} find={toFind(format)} /> : null,
      )}
    </FilterBar>
  );
}

const isLinked = (format: string) => format === 'id' || format in FINDS;
const toFind = (format: string) => (format === 'id' ? undefined : FINDS[format as keyof typeof FINDS]);

function toField(name: string, filter: ListFilter): ReactNode {
  const { label, hint, replaces = name, labels, format = 'text', days, isRequired = false, isRare } = filter;
  const shared = { name, label };
  const find = toFind(format);
  if (hint !== undefined) return <SearchFilter {...shared} key={name} placeholder={hint} also={replaces} />;
  if (days !== undefined) return <DaysFilter key={name} />;
  if (labels !== undefined)
    return <ChoiceFilter {...shared} key={name} choices={labels} isRequired={isRequired} />;
  if (isLinked(format))
    return isRare && find !== undefined ? <ThingFilter {...shared} key={name} find={find} /> : null;
  return <TypedFilter {...shared} key={name} isAmount={format === 'money'} />;
}
