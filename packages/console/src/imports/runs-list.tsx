import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common, formatCount } from '../texts.ts';
import { Badge } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

export type Run = OperatorElement<'listImports'>;

const FILTERS = ['kind', 'state'];

const COLUMNS: readonly Column<Run>[] = [
  {
    title: texts.kind,
    render: ({ kind, dryRun }) => (dryRun ? texts.checkOf(texts.kinds[kind]) : texts.kinds[kind]),
  },
  { title: common.status, render: (run) => <RunStateBadge run={run} /> },
  { title: texts.read, render: ({ read }) => formatCount(read), look: 'right minor' },
  { title: texts.written, render: ({ written }) => formatCount(written), look: 'right' },
  { title: texts.rejected, render: ({ rejected }) => formatCount(rejected), look: 'right' },
  { title: texts.file, render: ({ fileName }) => fileName ?? '–', look: 'minor' },
  { title: texts.by, render: ({ name, clientId }) => name ?? clientId, look: 'minor' },
  { title: common.started, time: 'startedAt', look: 'right', sort: 'startedAt' },
];

export function RunsList() {
  const list = useList('listImports', {
    filters: FILTERS,
    sortedBy: '-startedAt',
    limit: 25,
    everyMs: 10_000,
  });
  return (
    <List
      list={list}
      filters={
        <>
          <ChoiceFilter name="kind" label={texts.kind} choices={texts.kinds} />
          <ChoiceFilter name="state" label={common.status} choices={texts.states} />
        </>
      }
      label={texts.runs}
      columns={COLUMNS}
      rowPath={({ id }) => paths.importRun(id)}
      icon="imports"
      none={texts.noRuns}
    />
  );
}

const LOOKS = {
  running: ['info', 'play'],
  stopped: ['warn', 'alert'],
  completed: ['good', 'check'],
} as const;

export function RunStateBadge({ run: { state, undoneAt } }: { readonly run: Run }) {
  if (undoneAt !== null) return <Badge look={['done', 'lock']}>{common.undone}</Badge>;
  return <Badge look={LOOKS[state]}>{texts.states[state]}</Badge>;
}
