/** One import: its counts, live while it runs, and its rejected lines. */
import type { OperatorAnswer, OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { type Run, RunStateBadge } from './runs-list.tsx';

const LIVE_MS = 2000;

export function RunPage() {
  const { runId = '' }: { runId?: string } = useParams({ strict: false });
  const result = useLive(
    ['import', runId],
    async (client, signal) =>
      (await client.listImports({ query: { runId, limit: 1 } }, { signal })).data[0] ?? null,
    { everyMs: (run) => (run?.state === 'running' ? LIVE_MS : undefined) },
  );
  const { data, error } = result;
  const run = data ?? undefined;
  const words = texts.imports;
  const title = run === undefined ? words.oneRun : words.runTitle(words.kinds[run.kind], run.dryRun);
  return (
    <Page
      title={title}
      back={{ to: paths.imports, label: words.title }}
      heading={
        <>
          {title}
          {run === undefined ? null : <RunStateBadge run={run} />}
        </>
      }
      actions={
        run === undefined ? null : (
          <>
            {run.canUndo && !run.dryRun ? <Undo run={run} /> : null}
            {run.removed > run.restored ? <Restore run={run} /> : null}
          </>
        )
      }
    >
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined && error !== null ? (
        <Failure error={error} retry={() => void result.refetch()} />
      ) : null}
      {data === null ? <Empty icon="search">{texts.states.notFound('import')}</Empty> : null}
      {run === undefined ? null : (
        <>
          <RunFacts run={run} />
          <Section title={words.rejectedLines}>
            <Rejects run={run} />
          </Section>
        </>
      )}
    </Page>
  );
}

function RunFacts({ run }: { readonly run: Run }) {
  const words = texts.imports;
  const number = (count: number) => count.toLocaleString(LOCALE);
  return (
    <div className="columns">
      <Facts
        facts={[
          [words.read, number(run.read)],
          [words.written, number(run.written)],
          [words.unchanged, number(run.unchanged)],
          [words.rejected, number(run.rejected)],
          ...(run.deleteMissing ? [[words.takenOff, number(run.removed)] as const] : []),
        ]}
      />
      <Facts
        facts={[
          [words.startedAt, <Time key="started" at={run.startedAt} />],
          [
            words.endedAt,
            run.endedAt === null ? texts.catalogue.none : <Time key="ended" at={run.endedAt} />,
          ],
          [words.file, run.fileName ?? texts.catalogue.none],
          [words.by, run.name ?? run.clientId],
          [words.importId, run.importId ?? texts.catalogue.none],
        ]}
      />
    </div>
  );
}

const COLUMNS: readonly Column<OperatorElement<'listImportRejects'>>[] = [
  { title: texts.imports.lineNumber, render: ({ line }) => line.toLocaleString(LOCALE) },
  { title: texts.imports.why, render: ({ message }) => <span className="wraps">{message}</span> },
];

function Rejects({ run }: { readonly run: Run }) {
  const { search } = useUrl();
  const params = { runId: run.id };
  const query = { cursor: search['cursor'], limit: 50 };
  const result = useLive(['import-rejects', run.id, query, run.rejected], (client, signal) =>
    client.listImportRejects({ params, query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  return (
    <>
      <DataTable
        label={texts.imports.rejectedLines}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ line }) => String(line)}
        pager={pager}
        empty={
          <Empty icon="check">
            {run.rejected === 0 ? texts.imports.noRejects : texts.imports.rejectsGone}
          </Empty>
        }
      />
      {run.rejectsKept === 0 ? null : (
        <div className="below">
          <DownloadButton
            label={texts.imports.downloadRejects(run.rejectsKept)}
            path={`/admin/v1/imports/${run.id}/rejects`}
            fileName={`import-${run.id}-rejected.csv`}
          />
        </div>
      )}
    </>
  );
}

/** The result of a dry run and of the undo itself. */
type Undone = OperatorAnswer<'undoImport'>;

function Undo({ run }: { readonly run: Run }) {
  const may = useMay('catalogue');
  const [isOpen, setOpen] = useState(false);
  if (!may) return null;
  const words = texts.imports;
  const params = { runId: run.id };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {words.undo}…
      </Button>
      {isOpen ? (
        <ActionDialog<object, Undone>
          onClose={() => setOpen(false)}
          title={words.undoTitle(run.fileName ?? words.kinds[run.kind])}
          form={`undo:${run.id}`}
          isDangerous
          preview={({ reason }) =>
            admin.undoImport({ params, body: { reason, dryRun: true } }).withResponse()
          }
          showPreview={(preview) => (preview === undefined ? null : words.undoSays(preview).join(' '))}
          submit={() => words.undo}
          run={({ reason }, { client, idempotencyKey }) =>
            client.undoImport({ params, body: { reason } }, { idempotencyKey }).withResponse()
          }
          onDone={({ data }) => toast(words.undoDone((data as Undone).kept))}
        />
      ) : null}
    </>
  );
}

function Restore({ run }: { readonly run: Run }) {
  const may = useMay('catalogue');
  const [isOpen, setOpen] = useState(false);
  if (!may || run.dryRun) return null;
  const words = texts.imports;
  const count = run.removed - run.restored;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {words.restore}…
      </Button>
      {isOpen ? (
        <ActionDialog
          onClose={() => setOpen(false)}
          title={words.restoreTitle(count)}
          form={`restore:${run.id}`}
          showPreview={() => words.restoreSays}
          submit={() => words.restore}
          run={({ reason }, { client, idempotencyKey }) =>
            client
              .restoreImport({ params: { runId: run.id }, body: { reason } }, { idempotencyKey })
              .withResponse()
          }
          onDone={({ data }) => {
            const { restored, kept } = data as { readonly restored: number; readonly kept: number };
            toast(words.restored(restored, kept));
          }}
        />
      ) : null}
    </>
  );
}
