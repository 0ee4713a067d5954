import type { OperatorAnswer, OperatorElement } from '@keyport/sdk-source/admin';
import { Alert, Box, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { useMay } from '../api/session.ts';
import { toColumns } from '../lists/columns.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { texts as listTexts } from '../lists/texts.ts';
import { type Changed, UndoChanges } from '../offers/undo-changes.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Icon } from '../ui/icons.tsx';
import { Failure, useWork } from '../ui/page.tsx';
import { CopyButton, Isolated, Link, OrderLink, ShortId } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { Details } from './details.tsx';
import { texts } from './texts.ts';

type Entry = OperatorElement<'listAudit'>;

const COLUMNS = toColumns('listAudit', {
  clientId: (entry) => <Who entry={entry} />,
  orderId: (entry) => <About entry={entry} />,
  data: (entry) => <Details entry={entry} />,
});

export function AuditPage() {
  const list = useList('listAudit', { isFiltered: true, sortedBy: 'DESC', everyMs: 15_000 });
  const mayUndo = useMay('catalogue');
  const rows = list.rows ?? [];
  const actions: Column<Entry> = {
    title: listTexts.table.actions,
    look: 'right',
    render: (entry) =>
      isOfMany(entry) ? <Undo changes={changesOf(entry)} later={laterThan(entry, rows)} /> : null,
  };
  return (
    <ListPage
      title={common.navigation.audit}
      intro={<AuditChain />}
      list={list}
      columns={mayUndo && rows.some(isOfMany) ? [...COLUMNS, actions] : COLUMNS}
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

const isOfMany = ({ action }: Entry) => action === 'offer.change-many';
/** The service writes such an entry, and only with these members. */
const changesOf = ({ data }: Entry) => data['changes'] as readonly Changed[];

/** The latest terms that later entries on this page gave each offer. */
function laterThan(entry: Entry, rows: readonly Entry[]): ReadonlyMap<string, Changed['after']> {
  const later = rows.filter((other) => isOfMany(other) && Number(other.id) > Number(entry.id));
  const inOrder = later.toSorted((one, other) => Number(one.id) - Number(other.id));
  return new Map(inOrder.flatMap(changesOf).map(({ offerId, after }) => [offerId, after]));
}

const isSame = (one: Changed['after'] | undefined, other: Changed['after']) =>
  one?.price === other.price && one.status === other.status;

/** Offers that were changed again are left out of an undo: without any others there is nothing to undo. */
function Undo(props: {
  readonly changes: readonly Changed[];
  readonly later: ReadonlyMap<string, Changed['after']>;
}) {
  const { changes, later } = props;
  if (changes.every(({ offerId, before }) => isSame(later.get(offerId), before)))
    return <Hint span>{common.undone}</Hint>;
  const isGone = changes.every(
    ({ offerId, after }) => later.has(offerId) && !isSame(later.get(offerId), after),
  );
  return isGone ? (
    <span title={texts.outdatedSays}>
      <Hint span>{texts.outdated}</Hint>
    </span>
  ) : (
    <UndoChanges changes={changes} />
  );
}

function Who({ entry }: { readonly entry: Entry }) {
  const { clientId, memberId, name, role } = entry;
  const id = clientId ?? memberId;
  return (
    <Box component="span" className="wraps" display="inline-block" miw={110} title={id}>
      <Isolated>{name ?? id}</Isolated>
      {role === undefined ? null : <Hint span> {role}</Hint>}
    </Box>
  );
}

const PAGES = {
  account: paths.account,
  offer: paths.offer,
  product: paths.product,
  seller: paths.seller,
} as const;
const isOfListing = (kind: string) => ['offer', 'product', 'seller'].includes(kind);

function About({ entry }: { readonly entry: Entry }) {
  if (isOfMany(entry)) return texts.offers(changesOf(entry).length);
  const { action, orderId, accountId, data } = entry;
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
      <Link to={PAGES[kind](id)}>{common[kind]}</Link>{' '}
      <ShortId id={id} what={common[kind]} {...(kind === 'product' && { shown: id })} />
    </>
  );
}
