/** The parts of an incident that every place shows. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Badge, Time } from '../ui/values.tsx';

export type Incident = OperatorElement<'listIncidents'>;

export function Ended({ incident: { endedAt } }: { readonly incident: Incident }) {
  if (endedAt !== null) return <Time at={endedAt} />;
  return <Badge look={['bad', 'alert']}>{texts.incidents.goesOn}</Badge>;
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
