/** Past and running imports of all operators. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../ui/filters.tsx';
import { EmptyList } from '../ui/states.tsx';
import { Badge, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';

export type Run = OperatorElement<'listImports'>;

const FILTERS = ['kind', 'state'];
const LIVE_MS = 10_000;

const COLUMNS: readonly Column<Run>[] = [
  {
    title: texts.imports.kind,
    render: ({ kind, dryRun }) =>
      dryRun ? texts.imports.checkOf(texts.imports.kinds[kind]) : texts.imports.kinds[kind],
  },
  { title: texts.imports.state, render: (run) => <RunStateBadge run={run} /> },
  {
    title: texts.imports.read,
    render: ({ read }) => read.toLocaleString(LOCALE),
    isRight: true,
    isMinor: true,
  },
  { title: texts.imports.written, render: ({ written }) => written.toLocaleString(LOCALE), isRight: true },
  { title: texts.imports.rejected, render: ({ rejected }) => rejected.toLocaleString(LOCALE), isRight: true },
  { title: texts.imports.file, render: ({ fileName }) => fileName ?? texts.catalogue.none, isMinor: true },
  { title: texts.imports.by, render: ({ name, clientId }) => name ?? clientId, isMinor: true },
  { title: texts.imports.startedAt, render: ({ startedAt }) => <Time at={startedAt} />, isRight: true },
];

export function RunsList() {
  const { search } = useUrl();
  const { kind, state, cursor } = search;
  const query = { kind, state, cursor, limit: 25 };
  const result = useLive(
    ['imports', query],
    (client, signal) => client.listImports({ query: query as never }, { signal }),
    { everyMs: cursor === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  return (
    <>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="kind" label={texts.imports.kind} choices={texts.imports.kinds} />
        <ChoiceFilter name="state" label={texts.imports.state} choices={texts.imports.states} />
      </FilterBar>
      <DataTable
        label={texts.imports.runs}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.importRun(id)}
        pager={pager}
        empty={<EmptyList icon="imports" filters={FILTERS} pager={pager} none={texts.imports.noRuns} />}
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
  if (undoneAt !== null)
    return (
      <Badge tone="done" icon="lock">
        {texts.imports.undone}
      </Badge>
    );
  return (
    <Badge tone={LOOKS[state][0]} icon={LOOKS[state][1]}>
      {texts.imports.states[state]}
    </Badge>
  );
}
