import type { OperatorElement } from '@keyport/sdk-source/admin';
import { UnstyledButton } from '@mantine/core';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { Peek } from '../lists/peek.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Badge, Copied, OrderLink, Time } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { texts } from './texts.ts';

type LoggedRequest = OperatorElement<'listAccountRequests'>;

const toTitle = ({ method, path }: LoggedRequest) => `${method} ${path}`;

/** The log of an account's requests, as an operator or a member of the account sees it. */
export function Requests(props: {
  readonly name: 'listAccountRequests' | 'listOwnRequests';
  readonly params?: Readonly<Record<string, string>>;
  /** The names of the members who are known. */
  readonly names?: Names;
}) {
  const { name, params = {}, names = new Map() } = props;
  const { look } = useUrl();
  const list = useList(name, {
    params,
    isFiltered: true,
    everyMs: 10_000,
  });
  const open = ({ id }: LoggedRequest) => look({ peek: id });
  const find = (id: string) => list.rows?.find((row) => row.id === id);
  const omitted = list.result.data?.meta.omitted ?? 0;
  return (
    <>
      {omitted === 0 ? null : <Hint>{texts.requests.omitted(omitted)}</Hint>}
      <List
        list={list}
        isLabelled
        label={texts.requests.title}
        columns={toColumns('listAccountRequests', toCells(open, names))}
        onPeek={open}
        icon="search"
        none={texts.requests.empty}
      />
      <Peek title={(id) => find(id)?.path ?? texts.requests.gone}>
        {(id) => <RequestDetails request={find(id)} names={names} />}
      </Peek>
    </>
  );
}

type Names = ReadonlyMap<string, string>;

function Caller({ request, names }: { readonly request: LoggedRequest; readonly names: Names }) {
  const { clientId, memberId = '' } = request;
  const name = names.get(memberId);
  return name === undefined ? <code>{clientId ?? memberId}</code> : <span title={memberId}>{name}</span>;
}

const toCells = (open: (request: LoggedRequest) => void, names: Names) => ({
  path: (request: LoggedRequest) => (
    <span className="two-lines wraps" title={toTitle(request)}>
      <UnstyledButton className="link" data-row-key={request.id} onClick={() => open(request)}>
        <code>{toTitle(request)}</code>
      </UnstyledButton>
    </span>
  ),
  status: ({ status, code }: LoggedRequest) => (
    <Badge look={status < 400 ? ['good', 'check'] : ['bad', 'cross']}>
      {code === undefined ? String(status) : `${status} ${code}`}
    </Badge>
  ),
  clientId: (request: LoggedRequest) => <Caller request={request} names={names} />,
  durationMs: ({ durationMs }: LoggedRequest) => texts.requests.milliseconds(durationMs),
});

function RequestDetails(props: { readonly request: LoggedRequest | undefined; readonly names: Names }) {
  const { request, names } = props;
  if (request === undefined) return null;
  const { orderId, query, status, code, idempotencyKey, userAgent, traceId } = request;
  return (
    <>
      <Facts
        facts={{
          [texts.requests.request]: <code>{toTitle(request)}</code>,
          [texts.requests.query]: query === '' ? null : <code>{query}</code>,
          [common.status]: code === undefined ? status : `${status} ${code}`,
          [texts.requests.time]: <Time at={request.at} />,
          [texts.requests.duration]: texts.requests.milliseconds(request.durationMs),
          [texts.requests.trace]: <Copied text={traceId} what={texts.requests.trace} isCode />,
          [common.order]: orderId === undefined ? null : <OrderLink id={orderId} />,
          [common.idempotencyKey]: idempotencyKey === undefined ? null : <code>{idempotencyKey}</code>,
          [texts.requests.client]: <Caller request={request} names={names} />,
          [texts.requests.address]: request.address,
          [texts.requests.program]: userAgent ?? null,
        }}
      />
      <Body title={texts.requests.sent} text={request.requestBody} />
      <Body title={texts.requests.response} text={request.responseBody} />
    </>
  );
}

function Body({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return (
    <Section title={title}>
      {text === undefined ? <Hint>{texts.requests.noBody}</Hint> : <pre>{indented(text)}</pre>}
    </Section>
  );
}

/** A truncated body is no longer JSON. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
