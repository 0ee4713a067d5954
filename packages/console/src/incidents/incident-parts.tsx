import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Badge, Link, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

export type Incident = OperatorElement<'listIncidents'>;

export function Ended({ incident: { endedAt } }: { readonly incident: Incident }) {
  if (endedAt !== null) return <Time at={endedAt} />;
  return <Badge look={['bad', 'alert']}>{texts.goesOn}</Badge>;
}

/** Links to the subject of the incident. */
export function IncidentLink({ incident }: { readonly incident: Incident }) {
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
