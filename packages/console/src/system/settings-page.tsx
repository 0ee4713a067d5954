import type { OperatorAnswer } from '@keyport/sdk/admin';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { texts } from '../texts.ts';
import { Empty } from '../ui/page.tsx';
import { countFilters, useUrl } from '../url.ts';
import { SystemShell, useSystem } from './system-page.tsx';

type Setting = OperatorAnswer<'getSystem'>['settings'][number];

const FILTERS = ['query', 'source'];

const COLUMNS: readonly Column<Setting>[] = [
  { title: 'Setting', render: ({ name }) => <code>{name}</code> },
  { title: 'Value', render: (setting) => <Value setting={setting} /> },
  { title: 'From', render: ({ source }) => texts.system.sources[source] },
  {
    title: 'Meaning',
    render: ({ description }) => <span className="wraps">{description}</span>,
    look: 'minor',
  },
];

export function SettingsPage() {
  const { search } = useUrl();
  const result = useSystem();
  const words = (search['query'] ?? '').toLowerCase().split(/\s+/);
  const rows = result.data?.settings.filter(
    ({ name, description, source }) =>
      (search['source'] === undefined || search['source'] === source) &&
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  return (
    <SystemShell>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label="Search settings" placeholder="Words of the name or the meaning" />
        <ChoiceFilter name="source" label="From" choices={texts.system.sources} />
      </FilterBar>
      <DataTable
        label={texts.system.tabs.settings}
        columns={COLUMNS}
        query={result}
        rows={rows}
        rowKey={({ name }) => name}
        empty={<Empty icon="system">{texts.table.noMatch(countFilters(search, FILTERS))}</Empty>}
      />
    </SystemShell>
  );
}

function Value({ setting: { value, isSecret, source } }: { readonly setting: Setting }) {
  if (isSecret) return source === 'default' ? 'Not set' : 'Set, not shown';
  return value === null ? 'Not set' : <span className="wraps">{value}</span>;
}
