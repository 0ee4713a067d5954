import type { OperatorAnswer, OperatorElement } from '@keyport/sdk-source/admin';
import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { type Changed, UndoChanges } from '../offers/undo-changes.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Icon } from '../ui/icons.tsx';
import { Failure, useWork } from '../ui/page.tsx';
import { CopyButton, Isolated, Link, OrderLink, ShortId } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

type Entry = OperatorElement<'listAudit'>;

const COLUMNS = toColumns('listAudit', {
  clientId: (entry) => <Who entry={entry} />,
  orderId: (entry) => <About entry={entry} />,
  data: (entry) => <Details entry={entry} />,
});

export function AuditPage() {
  const list = useList('listAudit', { isFiltered: true, sortedBy: 'DESC', everyMs: 15_000 });
  return (
    <ListPage
      title={common.navigation.audit}
      intro={<AuditChain />}
      list={list}
      columns={COLUMNS}
      icon="audit"
      none={texts.empty}
    />
  );
}

/**
 * Every entry contains the hash of the previous entry: reading the log reveals entries that were removed,
 * changed or moved.
 */
function AuditChain() {
  const { isRunning, error, run } = useWork();
  const [result, setResult] = useState<OperatorAnswer<'verifyAudit'>>();
  const check = () => void run(() => admin.verifyAudit({}, { timeoutMs: 300_000 }).then(setResult));
  return (
    <Group component="section" gap="8px 12px" mb={12} aria-label={texts.chain}>
      <Button loading={isRunning} onClick={check}>
        {texts.checkChain}
      </Button>
      <div role="status">
        {result === undefined ? (
          <Hint span>{texts.chainHint}</Hint>
        ) : result.broken === 0 ? (
          <span>
            <Icon name="check" /> {texts.chainWhole(result.checked)}{' '}
            {result.head === null ? null : <CopyButton text={result.head} what={texts.head} />}
          </span>
        ) : (
          <Alert color="bad" icon={<Icon name="alert" />} title={texts.chainBroken(result.broken)}>
            <ul>
              {result.examples.map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
          </Alert>
        )}
      </div>
      {error === undefined ? null : <Failure error={error} retry={check} />}
    </Group>
  );
}

function Who({ entry }: { readonly entry: Entry }) {
  const { clientId, memberId, name, role } = entry;
  const id = clientId ?? memberId;
  return (
    <span title={id}>
      <Isolated>{name ?? id}</Isolated>
      {role === undefined ? null : <Hint span> {role}</Hint>}
    </span>
  );
}

const PAGES = {
  account: paths.account,
  offer: paths.offer,
  product: paths.product,
  seller: paths.seller,
} as const;
const isOfListing = (kind: string) => ['offer', 'product', 'seller'].includes(kind);

function About({ entry: { action, orderId, accountId, data } }: { readonly entry: Entry }) {
  // The service writes this entry, and only with these members.
  if (action === 'offer.change-many') return <UndoChanges changes={data['changes'] as readonly Changed[]} />;
  const runId = data['runId'];
  if (typeof runId === 'string') return <Link to={paths.importRun(runId)}>{texts.importRun(runId)}</Link>;
  if (orderId !== undefined) return <OrderLink id={orderId} />;
  if (accountId !== undefined) return <Subject kind="account" id={accountId} />;
  const { offerId, id } = data;
  const [kind = ''] = typeof offerId === 'string' ? ['offer'] : action.split('.');
  return isOfListing(kind) ? <Subject kind={kind as keyof typeof PAGES} id={String(offerId ?? id)} /> : null;
}

function Subject({ kind, id }: { readonly kind: keyof typeof PAGES; readonly id: string }) {
  return (
    <>
      <Link to={PAGES[kind](id)}>{common[kind]}</Link> <ShortId id={id} what={common[kind]} />
    </>
  );
}

/** Reasons for claims are codes; other reasons are free text. */
const REASONS: Readonly<Record<string, string>> = common.claimReasons;

/** The rest of the entry, with the field names of the API. */
function Details({ entry }: { readonly entry: Entry }) {
  const { data, traceId, address } = entry;
  const reason = data['reason'];
  return (
    <details className="audit-details">
      <summary>
        <Isolated>{typeof reason === 'string' ? (REASONS[reason] ?? reason) : common.details}</Isolated>
      </summary>
      <dl>
        {Object.entries({ ...data, address }).map(([name, value]) =>
          value === undefined || value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Isolated>{typeof value === 'string' ? value : JSON.stringify(value)}</Isolated>
              </dd>
            </div>
          ),
        )}
        {traceId === undefined ? null : (
          <div>
            <dt>{common.traceId}</dt>
            <dd>
              {traceId} <CopyButton text={traceId} what={common.traceId} />
            </dd>
          </div>
        )}
      </dl>
    </details>
  );
}
