import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { formatCount, texts } from '../texts.ts';
import { Badge } from '../ui/values.tsx';
import { paths } from '../url.ts';

export type Run = OperatorElement<'listImports'>;

const FILTERS = ['kind', 'state'];

const COLUMNS: readonly Column<Run>[] = [
  {
    title: 'Content',
    render: ({ kind, dryRun }) =>
      dryRun ? `${texts.imports.kinds[kind]} (check)` : texts.imports.kinds[kind],
  },
  { title: 'Status', render: (run) => <RunStateBadge run={run} /> },
  { title: 'Lines', render: ({ read }) => formatCount(read), look: 'right minor' },
  { title: 'Changed', render: ({ written }) => formatCount(written), look: 'right' },
  { title: 'Rejected', render: ({ rejected }) => formatCount(rejected), look: 'right' },
  { title: 'File', render: ({ fileName }) => fileName ?? '–', look: 'minor' },
  { title: 'By', render: ({ name, clientId }) => name ?? clientId, look: 'minor' },
  { title: 'Started', time: 'startedAt', look: 'right', sort: 'startedAt' },
];

export function RunsList() {
  const list = useList('listImports', {
    filters: FILTERS,
    sortedBy: '-startedAt',
    limit: 25,
    everyMs: 10_000,
  });
  return (
    <>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="kind" label="Content" choices={texts.imports.kinds} />
        <ChoiceFilter name="state" label="Status" choices={texts.imports.states} />
      </FilterBar>
      <List
        list={list}
        label="Earlier imports"
        columns={COLUMNS}
        rowPath={({ id }) => paths.importRun(id)}
        icon="imports"
        none="No imports yet."
      />
    </>
  );
}

const LOOKS = {
  running: ['info', 'play'],
  stopped: ['warn', 'alert'],
  completed: ['good', 'check'],
} as const;

export function RunStateBadge({ run: { state, undoneAt } }: { readonly run: Run }) {
  if (undoneAt !== null) return <Badge look={['done', 'lock']}>Undone</Badge>;
  return <Badge look={LOOKS[state]}>{texts.imports.states[state]}</Badge>;
}
