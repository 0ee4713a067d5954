import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, DaysFilter, FilterBar } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Ended, type Incident, IncidentLink } from './incident-parts.tsx';

const words = texts.incidents;
const FILTERS = ['kind', 'open', 'from', 'to', 'days'];

const COLUMNS: readonly Column<Incident>[] = [
  { title: words.what, render: (incident) => <IncidentLink incident={incident} /> },
  { title: texts.common.kind, render: ({ kind }) => words.kinds[kind] },
  { title: words.began, time: 'beganAt', look: 'right', sort: 'beganAt' },
  { title: words.ended, render: (incident) => <Ended incident={incident} />, look: 'right' },
];

export function Incidents() {
  const list = useList('listIncidents', {
    filters: FILTERS,
    query: useDays('from', 'to'),
    sortedBy: '-beganAt',
    everyMs: 15_000,
  });
  return (
    <Page title={texts.navigation.incidents}>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="kind" label={texts.common.kind} choices={words.kinds} />
        <ChoiceFilter name="open" label={texts.common.status} choices={words.states} />
        <DaysFilter />
      </FilterBar>
      <List
        list={list}
        columns={COLUMNS}
        isLabelled
        label={texts.navigation.incidents}
        icon="check"
        none={words.empty}
      />
    </Page>
  );
}
