import type { OperatorElement } from '@keyport/sdk/admin';
import { UnstyledButton } from '@mantine/core';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, DaysFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { Peek } from '../lists/peek.tsx';
import { plural } from '../texts.ts';
import { Facts, Section } from '../ui/page.tsx';
import { Badge, Copied, OrderLink, Time } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import type { Account } from './account-data.tsx';

type LoggedRequest = OperatorElement<'listAccountRequests'>;

const FILTERS = ['status', 'code', 'traceId', 'from', 'to'];

const STATUSES = ['200', '201', '400', '402', '403', '404', '409', '410', '429', '499', '500', '503'];
const CHOICES = Object.fromEntries(STATUSES.map((status) => [status, status]));

const titleOf = ({ method, path }: LoggedRequest) => `${method} ${path}`;

export function Requests({ account }: { readonly account: Account }) {
  const { look } = useUrl();
  const list = useList('listAccountRequests', {
    params: { accountId: account.id },
    filters: FILTERS,
    query: useDays('from', 'to'),
    everyMs: 10_000,
  });
  const open = ({ id }: LoggedRequest) => look({ peek: id });
  const find = (id: string) => list.rows?.find((row) => row.id === id);
  const omitted = list.result.data?.meta.omitted ?? 0;
  return (
    <>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="status" label="Status" choices={CHOICES} />
        <SearchFilter name="code" label="Error code" placeholder="Error code" />
        <SearchFilter name="traceId" label="Trace id" placeholder="Trace id" />
        <DaysFilter />
      </FilterBar>
      {omitted === 0 ? null : (
        <p className="hint">
          {plural(omitted, 'request is', 'requests are')} missing: more arrived in one second than the log
          stores.
        </p>
      )}
      <List
        list={list}
        isLabelled
        label="Requests"
        columns={[openColumn(open), ...COLUMNS]}
        onPeek={open}
        icon="search"
        none="No writes and no rejected requests in the last 7 days. Successful reads are only counted."
      />
      <Peek title={(id) => find(id)?.path ?? 'This request is not on this page.'}>
        {(id) => <RequestDetails request={find(id)} />}
      </Peek>
    </>
  );
}

const openColumn = (open: (request: LoggedRequest) => void): Column<LoggedRequest> => ({
  title: 'Request',
  render: (request) => (
    <UnstyledButton className="link" data-row-key={request.id} onClick={() => open(request)}>
      <code>{titleOf(request)}</code>
    </UnstyledButton>
  ),
});

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    title: 'Status',
    render: ({ status, code }) => (
      <Badge look={status < 400 ? ['good', 'check'] : ['bad', 'cross']}>
        {code === undefined ? String(status) : `${status} ${code}`}
      </Badge>
    ),
  },
  { title: 'Client', render: ({ clientId }) => <code>{clientId}</code>, look: 'minor' },
  { title: 'Duration', render: ({ durationMs }) => `${durationMs} ms`, look: 'right minor' },
  { title: 'Time', time: 'at', look: 'right' },
];

function RequestDetails({ request }: { readonly request: LoggedRequest | undefined }) {
  if (request === undefined) return null;
  const { orderId, query, status, code, idempotencyKey, userAgent, traceId } = request;
  return (
    <>
      <Facts
        facts={{
          Request: <code>{titleOf(request)}</code>,
          Query: query === '' ? null : <code>{query}</code>,
          Status: code === undefined ? status : `${status} ${code}`,
          Time: <Time at={request.at} />,
          Duration: `${request.durationMs} ms`,
          'Trace id': <Copied text={traceId} what="Trace id" isCode />,
          Order: orderId === undefined ? null : <OrderLink id={orderId} />,
          'Idempotency key': idempotencyKey === undefined ? null : <code>{idempotencyKey}</code>,
          Client: <code>{request.clientId}</code>,
          Address: request.address,
          Program: userAgent ?? null,
        }}
      />
      <Body title="Body of the request" text={request.requestBody} />
      <Body title="Body of the response" text={request.responseBody} />
    </>
  );
}

function Body({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return (
    <Section title={title}>
      {text === undefined ? <p className="hint">None.</p> : <pre className="body">{indented(text)}</pre>}
    </Section>
  );
}

/** A body that was cut is no JSON any more. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
