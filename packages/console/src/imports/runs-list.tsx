import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { Badge } from '../ui/values.tsx';

export type Run = OperatorElement<'listImports'>;

const FILTERS = ['kind', 'state'];

const COLUMNS: readonly Column<Run>[] = [
  {
    title: texts.imports.kind,
    render: ({ kind, dryRun }) =>
      dryRun ? texts.imports.checkOf(texts.imports.kinds[kind]) : texts.imports.kinds[kind],
  },
  { title: texts.common.status, render: (run) => <RunStateBadge run={run} /> },
  { title: texts.imports.read, render: ({ read }) => read.toLocaleString(LOCALE), look: 'right minor' },
  { title: texts.imports.written, render: ({ written }) => written.toLocaleString(LOCALE), look: 'right' },
  { title: texts.imports.rejected, render: ({ rejected }) => rejected.toLocaleString(LOCALE), look: 'right' },
  { title: texts.imports.file, render: ({ fileName }) => fileName ?? texts.catalogue.none, look: 'minor' },
  { title: texts.imports.by, render: ({ name, clientId }) => name ?? clientId, look: 'minor' },
  { title: texts.common.started, time: 'startedAt', look: 'right', sort: 'startedAt' },
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
        <ChoiceFilter name="kind" label={texts.imports.kind} choices={texts.imports.kinds} />
        <ChoiceFilter name="state" label={texts.common.status} choices={texts.imports.states} />
      </FilterBar>
      <List
        list={list}
        label={texts.imports.runs}
        columns={COLUMNS}
        rowPath={({ id }) => paths.importRun(id)}
        icon="imports"
        none={texts.imports.noRuns}
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
  if (undoneAt !== null) return <Badge look={['done', 'lock']}>{texts.common.undone}</Badge>;
  return <Badge look={LOOKS[state]}>{texts.imports.states[state]}</Badge>;
}
