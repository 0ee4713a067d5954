import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Ended, IncidentLink } from './incident-parts.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listIncidents', {
  title: (incident) => <IncidentLink incident={incident} />,
  kind: texts.kinds,
  endedAt: (incident) => <Ended incident={incident} />,
});

export function Incidents() {
  const list = useList('listIncidents', {
    isFiltered: true,
    sortedBy: '-beganAt',
    everyMs: 15_000,
  });
  return (
    <Page title={common.navigation.incidents}>
      <List
        list={list}
        columns={COLUMNS}
        isLabelled
        label={common.navigation.incidents}
        icon="check"
        none={texts.empty}
      />
    </Page>
  );
}
