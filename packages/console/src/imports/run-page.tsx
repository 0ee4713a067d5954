import type { OperatorElement } from '@keyport/sdk/admin';
import { admin } from '../api/admin.ts';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import type { Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { List, useList } from '../lists/list.tsx';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { Time } from '../ui/values.tsx';
import { usePathId } from '../url.ts';
import { type Run, RunStateBadge } from './runs-list.tsx';

type DialogProps = { readonly run: Run; readonly onClose: () => void };

const LIVE_MS = 2000;
const words = texts.imports;

export function RunPage() {
  const runId = usePathId();
  const result = useLive(
    ['import', runId],
    async (client, signal) =>
      (await client.listImports({ query: { runId, limit: 1 } }, { signal })).data[0] ?? null,
    { everyMs: (run) => (run?.state === 'running' ? LIVE_MS : undefined) },
  );
  const run = result.data ?? undefined;
  const may = useMay('catalogue');
  const title = run === undefined ? words.oneRun : words.runTitle(words.kinds[run.kind], run.dryRun);
  return (
    <Page
      title={title}
      back={{ to: paths.imports, label: texts.navigation.imports }}
      heading={
        <>
          {title}
          {run === undefined ? null : <RunStateBadge run={run} />}
        </>
      }
      actions={
        run === undefined || run.dryRun || !may ? null : <Actions icon="imports" actions={actionsOf(run)} />
      }
    >
      <Loaded query={result} missing="import">
        {(shown) => (
          <>
            <RunFacts run={shown} />
            <Section title={words.rejectedLines}>
              <Rejects run={shown} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function actionsOf(run: Run): Action[] {
  const undo: Action = { label: words.undo, dialog: (onClose) => <UndoDialog run={run} onClose={onClose} /> };
  const restore: Action = {
    label: words.restore,
    dialog: (onClose) => <RestoreDialog run={run} onClose={onClose} />,
  };
  return [...(run.canUndo ? [undo] : []), ...(run.removed > run.restored ? [restore] : [])];
}

function RunFacts({ run }: { readonly run: Run }) {
  const number = (count: number) => count.toLocaleString(LOCALE);
  return (
    <div className="columns">
      <Facts
        facts={{
          [words.read]: number(run.read),
          [words.written]: number(run.written),
          [words.unchanged]: number(run.unchanged),
          [words.rejected]: number(run.rejected),
          [words.takenOff]: run.deleteMissing ? number(run.removed) : null,
        }}
      />
      <Facts
        facts={{
          [texts.common.started]: <Time at={run.startedAt} />,
          [words.endedAt]: run.endedAt === null ? texts.catalogue.none : <Time at={run.endedAt} />,
          [words.file]: run.fileName ?? texts.catalogue.none,
          [words.by]: run.name ?? run.clientId,
          [words.importId]: run.importId ?? texts.catalogue.none,
        }}
      />
    </div>
  );
}

const COLUMNS: readonly Column<OperatorElement<'listImportRejects'>>[] = [
  { title: words.lineNumber, render: ({ line }) => line.toLocaleString(LOCALE) },
  { title: texts.common.why, render: ({ message }) => <span className="wraps">{message}</span> },
];

function Rejects({ run }: { readonly run: Run }) {
  const list = useList('listImportRejects', { params: { runId: run.id }, version: run.rejected });
  const none = run.rejected === 0 ? words.noRejects : words.rejectsGone;
  return (
    <>
      <List
        list={list}
        label={words.rejectedLines}
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

function UndoDialog({ run, onClose }: DialogProps) {
  const params = { runId: run.id };
  return (
    <ActionDialog
      onClose={onClose}
      title={words.undoTitle(run.fileName ?? words.kinds[run.kind])}
      form={`undo:${run.id}`}
      isDangerous
      preview={async ({ reason }) => {
        const dry = admin.undoImport({ params, body: { reason, dryRun: true } });
        const { data, response } = await dry.withResponse();
        return { preview: data, etag: response.headers.get('etag') ?? '' };
      }}
      showPreview={(preview) => (preview === undefined ? null : words.undoSays(preview))}
      submit={words.undo}
      run={({ reason }, options) => admin.undoImport({ params, body: { reason } }, options)}
      onDone={({ data }) => toast(words.undoDone(data.kept))}
    />
  );
}

function RestoreDialog({ run, onClose }: DialogProps) {
  const params = { runId: run.id };
  return (
    <ActionDialog
      onClose={onClose}
      title={words.restoreTitle(run.removed - run.restored)}
      form={`restore:${run.id}`}
      showPreview={() => words.restoreSays}
      submit={words.restore}
      run={({ reason }, options) => admin.restoreImport({ params, body: { reason } }, options)}
      onDone={({ data: { restored, kept } }) => toast(words.restored(restored, kept))}
    />
  );
}
