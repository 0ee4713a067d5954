import type { OperatorElement } from '@keyport/sdk-source/admin';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Badge } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

export type Run = OperatorElement<'listImports'>;

const COLUMNS = toColumns('listImports', {
  kind: texts.kinds,
  state: (run) => <RunStateBadge run={run} />,
  name: ({ name, clientId }) => name ?? clientId,
});

export function RunsList() {
  const list = useList('listImports', {
    isFiltered: true,
    // A check stores nothing; its result is on its own page.
    query: { dryRun: 'false' },
    sortedBy: '-startedAt',
    limit: 25,
    everyMs: 10_000,
  });
  return (
    <List
      list={list}
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
