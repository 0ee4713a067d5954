import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { common } from '../texts.ts';
import { Empty } from '../ui/page.tsx';
import { countFilters, useUrl } from '../url.ts';
import { SystemShell, useSystem } from './system-page.tsx';
import { texts } from './texts.ts';

type Setting = OperatorAnswer<'getSystem'>['settings'][number];

const FILTERS = ['query', 'all'];

const COLUMNS: readonly Column<Setting>[] = [
  { title: texts.system.setting, render: ({ name }) => <code>{name}</code>, look: 'wide' },
  { title: texts.system.value, render: (setting) => <Value setting={setting} /> },
  { title: common.from, render: ({ source }) => texts.system.sources[source] },
  {
    title: texts.system.meaning,
    render: ({ description }) => <Described text={description} />,
    look: 'minor',
  },
];

export function SettingsPage() {
  const { search } = useUrl();
  const result = useSystem();
  // A search covers all settings.
  const isAll = search['all'] === 'true' || search['query'] !== undefined;
  const words = (search['query'] ?? '').toLowerCase().split(/\s+/);
  const rows = result.data?.settings.filter(
    ({ name, description, source }) =>
      (isAll || source !== 'default') &&
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  return (
    <SystemShell>
      <FilterBar names={FILTERS}>
        <SearchFilter
          name="query"
          label={texts.system.searchSettings}
          placeholder={texts.system.settingWords}
        />
        <ChoiceFilter
          name="all"
          label={texts.system.tabs.settings}
          choices={texts.system.settingChoices}
          isRequired
        />
      </FilterBar>
      <DataTable
        label={texts.system.tabs.settings}
        columns={COLUMNS}
        query={result}
        rows={rows}
        rowKey={({ name }) => name}
        empty={
          <Empty icon="system">
            {isAll ? common.noMatch(countFilters(search, FILTERS)) : texts.system.noSettings}
          </Empty>
        }
      />
    </SystemShell>
  );
}

/** Between backticks is code. */
function Described({ text }: { readonly text: string }) {
  return (
    <span className="wraps">
      {text
        .split('`')
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
        .map((part, place) => (place % 2 === 0 ? part : <code key={place}>{part}</code>))}
    </span>
  );
}

function Value({ setting: { value, isSecret, source } }: { readonly setting: Setting }) {
  if (isSecret) return source === 'default' ? texts.system.notSet : texts.system.secretSet;
  return value === null ? texts.system.notSet : <span className="wraps">{value}</span>;
}
