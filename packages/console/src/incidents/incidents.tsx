import type { OperatorElement } from '@keyport/sdk-source/admin';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { SystemShell } from '../system/system-page.tsx';
import { common } from '../texts.ts';
import { Badge, Link, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
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
    <SystemShell>
      <List
        list={list}
        columns={COLUMNS}
        isLabelled
        label={common.incidents}
        icon="check"
        none={texts.empty}
      />
    </SystemShell>
  );
}

type Incident = OperatorElement<'listIncidents'>;

function Ended({ incident: { endedAt } }: { readonly incident: Incident }) {
  if (endedAt !== null) return <Time at={endedAt} />;
  return <Badge look={['bad', 'alert']}>{texts.goesOn}</Badge>;
}

/** Links to the subject of the incident. */
function IncidentLink({ incident }: { readonly incident: Incident }) {
  const { id, kind, subject, title, accountId } = incident;
  const isEndpoint = kind === 'endpoint' && accountId !== null;
  const to = {
    payment: paths.order(subject),
    import: paths.importRun(subject),
    endpoint: isEndpoint ? paths.account(accountId) : undefined,
  }[kind as string];
  const search = isEndpoint ? { tab: 'webhooks', endpoint: subject } : undefined;
  return (
    <Link to={to ?? paths.system} rowKey={id} search={search}>
      <span className="wraps">{title}</span>
    </Link>
  );
}
