import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, DaysFilter, FilterBar } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Ended, type Incident, IncidentLink } from './incident-parts.tsx';

const words = texts.incidents;
const FILTERS = ['kind', 'open', 'from', 'to', 'days'];

const COLUMNS: readonly Column<Incident>[] = [
  { title: 'What happened', render: (incident) => <IncidentLink incident={incident} /> },
  { title: 'Kind', render: ({ kind }) => words.kinds[kind] },
  { title: 'Began', time: 'beganAt', look: 'right', sort: 'beganAt' },
  { title: 'Ended', render: (incident) => <Ended incident={incident} />, look: 'right' },
];

export function Incidents() {
  const list = useList('listIncidents', {
    filters: FILTERS,
    query: useDays('from', 'to'),
    sortedBy: '-beganAt',
    everyMs: 15_000,
  });
  return (
    <Page title="Incidents">
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="kind" label="Kind" choices={words.kinds} />
        <ChoiceFilter name="open" label="Status" choices={words.states} />
        <DaysFilter />
      </FilterBar>
      <List
        list={list}
        columns={COLUMNS}
        isLabelled
        label="Incidents"
        icon="check"
        none="No incidents. What breaks appears here, with when it began and ended."
      />
    </Page>
  );
}
