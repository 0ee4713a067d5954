/** Who did what, with filters, an export, and whether the chain of the log is whole. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { ORDER_OR_PRODUCT_ID, TRACE_ID, UUID } from '../api/ids.ts';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, DaysFilter, dayStart, FilterBar, SearchFilter } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { useOperatorNames } from '../ui/person.tsx';
import { EmptyList } from '../ui/states.tsx';
import { CopyButton, Money, OrderId, ShortId, Time } from '../ui/values.tsx';
import { type Search, usePager, useUrl } from '../url.ts';
import { AuditChain } from './audit-chain.tsx';
import { AuditExport } from './audit-export.tsx';

export type Entry = OperatorElement<'listAudit'>;

const FILTERS = ['query', 'person', 'action', 'reads', 'from', 'to'];
const LIVE_MS = 15_000;

const COLUMNS: readonly Column<Entry>[] = [
  { title: texts.audit.at, render: ({ at }) => <Time at={at} /> },
  { title: texts.audit.who, render: (entry) => <Who entry={entry} /> },
  { title: texts.audit.action, render: ({ action }) => actionText(action) },
  { title: texts.audit.about, render: (entry) => <About entry={entry} /> },
  { title: texts.audit.amount, render: ({ data }) => amountOf(data), isRight: true },
  { title: texts.audit.details, render: (entry) => <Details entry={entry} />, isMinor: true },
];

export function AuditPage() {
  const { search } = useUrl();
  const zone = useZone();
  const query = queryOf(search, zone);
  const result = useLive(
    ['audit', query],
    (client, signal) => client.listAudit({ query: { ...query, limit: 50 } as never }, { signal }),
    { everyMs: search['cursor'] === undefined ? LIVE_MS : undefined },
  );
  const pager = usePager(result.data?.meta);
  return (
    <Page
      title={texts.audit.title}
      actions={<AuditExport query={queryOf({ ...search, cursor: undefined }, zone)} />}
    >
      <AuditChain />
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.audit.searchLabel} placeholder={texts.audit.search} />
        <PersonFilter />
        <ChoiceFilter name="action" label={texts.audit.action} choices={texts.audit.actions} />
        <ChoiceFilter name="reads" label={texts.audit.reads} choices={texts.audit.readChoices} />
        <DaysFilter />
      </FilterBar>
      <DataTable
        label={texts.audit.title}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={pager}
        empty={<EmptyList icon="audit" filters={FILTERS} pager={pager} none={texts.audit.empty} />}
      />
    </Page>
  );
}

/** What was typed is an id of something; its form says of what. */
function queryOf(search: Search, zone: string) {
  const { query: typed = '', person, action, reads, from, to, cursor } = search;
  const id = typed.replaceAll(' ', '');
  const key = ORDER_OR_PRODUCT_ID.test(id)
    ? 'orderId'
    : TRACE_ID.test(id)
      ? 'traceId'
      : UUID.test(id)
        ? 'accountId'
        : 'clientId';
  return {
    clientId: person,
    ...(id === '' ? {} : { [key]: id }),
    action,
    actionsOnly: reads === 'hidden' ? 'true' : undefined,
    dateFrom: dayStart(from, zone),
    dateTo: dayStart(to, zone, 1),
    cursor,
  };
}

export function actionText(action: string): string {
  return action in texts.audit.actions
    ? texts.audit.actions[action as keyof typeof texts.audit.actions]
    : action;
}

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

function About({ entry: { orderId, accountId, data } }: { readonly entry: Entry }) {
  const { runId } = data as { readonly runId?: unknown };
  if (typeof runId === 'string')
    return <Link to={paths.importRun(runId)}>{texts.audit.importRun(runId)}</Link>;
  if (orderId !== undefined)
    return (
      <Link to={paths.order(orderId)}>
        <OrderId id={orderId} />
      </Link>
    );
  if (accountId === undefined) return null;
  return (
    <>
      <Link to={paths.account(accountId)}>{texts.audit.account}</Link>{' '}
      <ShortId id={accountId} what={texts.audit.accountId} />
    </>
  );
}

/** What the entry says besides, in the names of the interface. */
function Details({ entry }: { readonly entry: Entry }) {
  const { data, traceId, address } = entry;
  const { reason } = data as { readonly reason?: unknown };
  return (
    <details className="audit-details">
      <summary>{typeof reason === 'string' ? reason : texts.audit.more}</summary>
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
