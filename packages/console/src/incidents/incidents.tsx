/** Faults with when they began and ended: what broke last night, on one screen. */
import type { OperatorElement } from '@keyport/sdk/admin';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, DaysFilter, FilterBar } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Badge, Time } from '../ui/values.tsx';

export type Incident = OperatorElement<'listIncidents'>;

const words = texts.incidents;
const FILTERS = ['kind', 'open', 'from', 'to', 'days'];

const COLUMNS: readonly Column<Incident>[] = [
  { title: words.what, render: (incident) => <IncidentLink incident={incident} /> },
  { title: texts.common.kind, render: ({ kind }) => words.kinds[kind] },
  {
    title: words.began,
    render: ({ beganAt }) => <Time at={beganAt} />,
    look: 'right',
    sort: ['beganAt', '-beganAt'],
  },
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
        label={texts.navigation.incidents}
        isLabelled
        columns={COLUMNS}
        icon="check"
        none={words.empty}
      />
    </Page>
  );
}

export function Ended({ incident: { endedAt } }: { readonly incident: Incident }) {
  if (endedAt !== null) return <Time at={endedAt} />;
  return <Badge look={['bad', 'alert']}>{words.goesOn}</Badge>;
}

/** Leads to what is at fault. */
export function IncidentLink({ incident }: { readonly incident: Incident }) {
  const { id, kind, subject, title, accountId } = incident;
  const [to, search] =
    kind === 'payment'
      ? [paths.order(subject), undefined]
      : kind === 'import'
        ? [paths.importRun(subject), undefined]
        : kind === 'endpoint' && accountId !== null
          ? [paths.account(accountId), { tab: 'webhooks', endpoint: subject }]
          : [paths.system, undefined];
  return (
    <Link to={to} rowKey={id} {...(search === undefined ? {} : { search })}>
      <span className="wraps">{title}</span>
    </Link>
  );
}
