import { toColumns } from '../lists/columns.tsx';
import { ChoiceFilter, DaysFilter } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Ended, IncidentLink } from './incident-parts.tsx';
import { texts } from './texts.ts';

const FILTERS = ['kind', 'open', 'from', 'to', 'days'];

const COLUMNS = toColumns('listIncidents', {
  title: (incident) => <IncidentLink incident={incident} />,
  kind: texts.kinds,
  endedAt: (incident) => <Ended incident={incident} />,
});

export function Incidents() {
  const list = useList('listIncidents', {
    filters: FILTERS,
    query: useDays('from', 'to'),
    sortedBy: '-beganAt',
    everyMs: 15_000,
  });
  return (
    <Page title={common.navigation.incidents}>
      <List
        list={list}
        filters={
          <>
            <ChoiceFilter name="kind" label={common.kind} choices={texts.kinds} />
            <ChoiceFilter name="open" label={common.status} choices={texts.states} />
            <DaysFilter />
          </>
        }
        columns={COLUMNS}
        isLabelled
        label={common.navigation.incidents}
        icon="check"
        none={texts.empty}
      />
    </Page>
  );
}
