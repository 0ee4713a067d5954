/** The audit log, with filters, an export, and a check of its chain. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { ORDER_OR_PRODUCT_ID, TRACE_ID, UUID } from '../api/ids.ts';
import type { Column } from '../lists/data-table.tsx';
import { dayStart } from '../lists/days.ts';
import { ChoiceFilter, DaysFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { useOperatorNames } from '../ui/person.tsx';
import { CopyButton, Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { AuditChain } from './audit-chain.tsx';

type Entry = OperatorElement<'listAudit'>;

const FILTERS = ['query', 'person', 'action', 'reads', 'from', 'to'];

const COLUMNS: readonly Column<Entry>[] = [
  { title: texts.common.time, render: ({ at }) => <Time at={at} />, sort: ['ASC', 'DESC'] },
  { title: texts.audit.who, render: (entry) => <Who entry={entry} /> },
  { title: texts.audit.action, render: ({ action }) => ACTIONS[action] ?? action },
  { title: texts.common.about, render: (entry) => <About entry={entry} /> },
  { title: texts.common.amount, render: ({ data }) => amountOf(data), look: 'right' },
  { title: texts.common.details, render: (entry) => <Details entry={entry} />, look: 'minor' },
];

export function AuditPage() {
  const { search } = useUrl();
  const { query: typed = '', person, reads, from, to } = search;
  const zone = useZone();
  const list = useList('listAudit', {
    filters: FILTERS,
    sortedBy: 'DESC',
    query: {
      ...{ query: undefined, person: undefined, reads: undefined, from: undefined, to: undefined },
      clientId: person,
      ...idOf(typed.replaceAll(' ', '')),
      actionsOnly: reads === 'hidden' ? 'true' : undefined,
      dateFrom: dayStart(from, zone),
      dateTo: dayStart(to, zone, 1),
    },
    everyMs: 15_000,
  });
  return (
    <Page title={texts.navigation.audit}>
      <AuditChain />
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.audit.searchLabel} placeholder={texts.audit.search} />
        <PersonFilter />
        <ChoiceFilter name="action" label={texts.audit.action} choices={texts.audit.actions} />
        <ChoiceFilter name="reads" label={texts.audit.reads} choices={texts.audit.readChoices} />
        <DaysFilter />
      </FilterBar>
      <List
        list={list}
        label={texts.navigation.audit}
        columns={COLUMNS}
        icon="audit"
        none={texts.audit.empty}
      />
    </Page>
  );
}

/** The form of an id tells which filter it is for. */
function idOf(id: string): Record<string, string> {
  if (id === '') return {};
  if (ORDER_OR_PRODUCT_ID.test(id)) return { orderId: id };
  if (TRACE_ID.test(id)) return { traceId: id };
  return UUID.test(id) ? { accountId: id } : { clientId: id };
}

const ACTIONS: Readonly<Record<string, string>> = texts.audit.actions;

function Who({ entry }: { readonly entry: Entry }) {
  const { clientId, name, role } = entry;
  return (
    <span title={clientId}>
      {name ?? clientId}
      {role === undefined ? null : <span className="hint"> {role}</span>}
    </span>
  );
}

/** The amount that was booked. */
function amountOf({ amount }: Readonly<Record<string, unknown>>) {
  return typeof amount === 'string' ? <Money amount={amount} /> : null;
}

function PersonFilter() {
  const { data } = useOperatorNames();
  const people = Object.fromEntries((data?.data ?? []).map(({ id, name }) => [id, name]));
  return <ChoiceFilter name="person" label={texts.audit.who} choices={people} />;
}

const LISTINGS: Readonly<Record<string, (id: string) => string>> = {
  offer: paths.offer,
  product: paths.product,
  seller: paths.seller,
};

function About({ entry: { action, orderId, accountId, data } }: { readonly entry: Entry }) {
  const runId = data['runId'];
  if (typeof runId === 'string')
    return <Link to={paths.importRun(runId)}>{texts.audit.importRun(runId)}</Link>;
  if (orderId !== undefined)
    return (
      <Link to={paths.order(orderId)}>
        <OrderId id={orderId} />
      </Link>
    );
  if (accountId !== undefined) return <Subject kind="account" path={paths.account} id={accountId} />;
  const { offerId, id } = data;
  const [kind = ''] = typeof offerId === 'string' ? ['offer'] : action.split('.');
  const path = LISTINGS[kind];
  return path === undefined ? null : (
    <Subject kind={kind as 'offer' | 'product' | 'seller'} path={path} id={String(offerId ?? id)} />
  );
}

function Subject(props: {
  readonly kind: 'account' | 'offer' | 'product' | 'seller';
  readonly path: (id: string) => string;
  readonly id: string;
}) {
  const { kind, path, id } = props;
  return (
    <>
      <Link to={path(id)}>{texts.common[kind]}</Link> <ShortId id={id} what={texts.common[kind]} />
    </>
  );
}

/** The rest of the entry, in the names of the API. */
function Details({ entry }: { readonly entry: Entry }) {
  const { data, traceId, address } = entry;
  const reason = data['reason'];
  return (
    <details className="audit-details">
      <summary>{typeof reason === 'string' ? reason : texts.common.details}</summary>
      <dl>
        {Object.entries({ ...data, address }).map(([name, value]) =>
          value === undefined || value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ),
        )}
        {traceId === undefined ? null : (
          <div>
            <dt>{texts.states.trace}</dt>
            <dd>
              {traceId} <CopyButton text={traceId} what={texts.states.trace} />
            </dd>
          </div>
        )}
      </dl>
    </details>
  );
}
