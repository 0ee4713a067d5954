import type { OperatorElement } from '@keyport/sdk/admin';
import { admin, useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import type { Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { List, useList } from '../lists/list.tsx';
import { formatCount, texts } from '../texts.ts';
import { Empty, Facts, Section, ThingPage } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { type Run, RunStateBadge } from './runs-list.tsx';

type DialogProps = { readonly run: Run };

const words = texts.imports;

export function RunPage() {
  const runId = usePathId();
  const result = useLive(
    ['import', runId],
    async (client, signal) =>
      (await client.listImports({ query: { runId, limit: 1 } }, { signal })).data[0] ?? null,
    { everyMs: (run) => (run?.state === 'running' ? 2000 : undefined) },
  );
  const may = useMay('catalogue');
  return (
    <ThingPage
      query={result}
      missing="import"
      back={{ to: paths.imports, label: 'Imports' }}
      title={(run) =>
        run === undefined
          ? 'Import'
          : `${run.dryRun ? 'Check' : 'Import'} of ${words.kinds[run.kind].toLowerCase()}`
      }
      mark={(run) => <RunStateBadge run={run} />}
      actions={(run) => (run.dryRun || !may ? null : <Actions icon="imports" actions={actionsOf(run)} />)}
    >
      {(run) => (
        <>
          <RunFacts run={run} />
          <Section title="Rejected lines">
            <Rejects run={run} />
          </Section>
        </>
      )}
    </ThingPage>
  );
}

function actionsOf(run: Run): Action[] {
  const undo: Action = { label: 'Undo import', dialog: <UndoDialog run={run} /> };
  const restore: Action = { label: 'Put back on sale', dialog: <RestoreDialog run={run} /> };
  return [...(run.canUndo ? [undo] : []), ...(run.removed > run.restored ? [restore] : [])];
}

function RunFacts({ run }: { readonly run: Run }) {
  const number = (count: number) => formatCount(count);
  return (
    <div className="columns">
      <Facts
        facts={{
          Lines: number(run.read),
          Changed: number(run.written),
          Unchanged: number(run.unchanged),
          Rejected: number(run.rejected),
          'Taken off sale': run.deleteMissing ? number(run.removed) : null,
        }}
      />
      <Facts
        facts={{
          Started: <Time at={run.startedAt} />,
          Ended: run.endedAt === null ? '–' : <Time at={run.endedAt} />,
          File: run.fileName ?? '–',
          By: run.name ?? run.clientId,
          'Import id': run.importId ?? '–',
        }}
      />
    </div>
  );
}

const COLUMNS: readonly Column<OperatorElement<'listImportRejects'>>[] = [
  { title: 'Line', render: ({ line }) => formatCount(line) },
  { title: 'Why', render: ({ message }) => <span className="wraps">{message}</span> },
];

function Rejects({ run }: { readonly run: Run }) {
  const list = useList('listImportRejects', { params: { runId: run.id }, version: run.rejected });
  const none = run.rejected === 0 ? 'No line was rejected.' : 'The rejected lines are kept for 30 days.';
  return (
    <>
      <List
        list={list}
        label="Rejected lines"
        columns={COLUMNS}
        rowKey={({ line }) => String(line)}
        icon="check"
        none={none}
        empty={<Empty icon="check">{none}</Empty>}
      />
      {run.rejectsKept === 0 ? null : (
        <div className="below">
          <DownloadButton
            label={words.downloadRejects(run.rejectsKept)}
            path={`/admin/v1/imports/${run.id}/rejects`}
            fileName={`import-${run.id}-rejected.csv`}
          />
        </div>
      )}
    </>
  );
}

function UndoDialog({ run }: DialogProps) {
  const params = { runId: run.id };
  return (
    <ActionDialog
      title={`Undo the import of ${run.fileName ?? words.kinds[run.kind]}`}
      form={`undo:${run.id}`}
      hasReason
      isDangerous
      preview={async ({ reason }) => {
        const dry = admin.undoImport({ params, body: { reason, dryRun: true } });
        const { data, response } = await dry.withResponse();
        return { preview: data, etag: response.headers.get('etag') ?? '' };
      }}
      showPreview={(preview) => (preview === undefined ? null : words.undoSays(preview))}
      submit="Undo import"
      run={({ reason }, options) => admin.undoImport({ params, body: { reason } }, options)}
      onDone={({ data }) =>
        toast(data.kept === 0 ? 'Import undone' : `Import undone; ${formatCount(data.kept)} left unchanged`)
      }
    />
  );
}

function RestoreDialog({ run }: DialogProps) {
  const params = { runId: run.id };
  return (
    <ActionDialog
      title={`Put ${formatCount(run.removed - run.restored)} back on sale`}
      form={`restore:${run.id}`}
      hasReason
      showPreview={() => 'Later changes are kept.'}
      submit="Put back on sale"
      run={({ reason }, options) => admin.restoreImport({ params, body: { reason } }, options)}
      onDone={({ data: { restored, kept } }) =>
        toast(
          `${formatCount(restored)} back on sale${kept === 0 ? '' : `, ${formatCount(kept)} left unchanged`}`,
        )
      }
    />
  );
}
