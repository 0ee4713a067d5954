import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Box, SimpleGrid } from '@mantine/core';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { type Action, Actions } from '../forms/actions.tsx';
import { toColumns } from '../lists/columns.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { List, useList } from '../lists/list.tsx';
import { Operate } from '../operate/operate.tsx';
import { common, formatCount } from '../texts.ts';
import { Empty, Facts, Section, ThingPage } from '../ui/page.tsx';
import { Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { describeReject } from './mapping.ts';
import { type Run, RunStateBadge } from './runs-list.tsx';
import { texts } from './texts.ts';

type DialogProps = { readonly run: Run };

export function RunPage() {
  const runId = usePathId();
  const result = useLive(
    ['import', runId],
    async (client, signal) =>
      (await client.call('listImports', { query: { runId, limit: 1 } }, { signal })).data[0] ?? null,
    { everyMs: (run) => (run?.state === 'running' ? 2000 : undefined) },
  );
  const may = useMay('catalogue');
  return (
    <ThingPage
      query={result}
      missing="import"
      back={{ to: paths.imports, label: common.navigation.imports }}
      title={(run) => (run === undefined ? texts.oneRun : texts.runTitle(texts.kinds[run.kind], run.dryRun))}
      mark={(run) => <RunStateBadge run={run} />}
      actions={(run) => (run.dryRun || !may ? null : <Actions icon="imports" actions={toActions(run)} />)}
    >
      {(run) => (
        <>
          <RunFacts run={run} />
          <Section title={texts.rejectedLines}>
            <Rejects run={run} />
          </Section>
        </>
      )}
    </ThingPage>
  );
}

function toActions(run: Run): Action[] {
  const undo: Action = { label: texts.undo, dialog: <UndoDialog run={run} /> };
  const restore: Action = { label: texts.restore, dialog: <RestoreDialog run={run} /> };
  return [...(run.canUndo ? [undo] : []), ...(run.removed > run.restored ? [restore] : [])];
}

function RunFacts({ run }: { readonly run: Run }) {
  const number = (count: number) => formatCount(count);
  return (
    <SimpleGrid minColWidth={260}>
      <Facts
        facts={{
          [texts.read]: number(run.read),
          [texts.written]: number(run.written),
          [texts.unchanged]: number(run.unchanged),
          [texts.rejected]: number(run.rejected),
          [texts.takenOff]: run.deleteMissing ? number(run.removed) : null,
        }}
      />
      <Facts
        facts={{
          [common.started]: <Time at={run.startedAt} />,
          [texts.endedAt]: run.endedAt === null ? '–' : <Time at={run.endedAt} />,
          [texts.file]: run.fileName ?? '–',
          [texts.by]: run.name ?? run.clientId,
          [texts.importId]: run.importId ?? '–',
        }}
      />
    </SimpleGrid>
  );
}

const COLUMNS = toColumns('listImportRejects', {
  message: ({ message }) => <span className="wraps">{describeReject(message)}</span>,
});

function Rejects({ run }: { readonly run: Run }) {
  const list = useList('listImportRejects', { params: { runId: run.id }, version: run.rejected });
  const none = run.rejected === 0 ? texts.noRejects : texts.rejectsGone;
  return (
    <>
      <List
        list={list}
        label={texts.rejectedLines}
        columns={COLUMNS}
        rowKey={({ line }) => String(line)}
        icon="check"
        none={none}
        empty={<Empty icon="check">{none}</Empty>}
      />
      {run.rejectsKept === 0 ? null : (
        <Box mt={12}>
          <DownloadButton
            label={texts.downloadRejects(run.rejectsKept)}
            path={`/admin/v1/imports/${run.id}/rejects`}
            fileName={`import-${run.id}-rejected.csv`}
          />
        </Box>
      )}
    </>
  );
}

function UndoDialog({ run: { id, kind, fileName } }: DialogProps) {
  return (
    <Operate
      operation="undoImport"
      params={{ runId: id }}
      title={texts.undoTitle(fileName ?? texts.kinds[kind])}
      isDangerous
      // The dry run counts offers and keys, not money.
      typed={() => undefined}
      showPreview={(preview) =>
        preview === undefined
          ? null
          : texts.undoSays(preview as unknown as OperatorAnswer<'undoImport'>, kind)
      }
      submit={texts.undo}
      done={({ kept }) => texts.undoDone(kept)}
    />
  );
}

function RestoreDialog({ run: { id, kind, removed, restored } }: DialogProps) {
  return (
    <Operate
      operation="restoreImport"
      params={{ runId: id }}
      title={texts.restoreTitle(removed - restored, kind)}
      says={texts.restoreSays}
      submit={texts.restore}
      done={(answer) => texts.restored(answer.restored, answer.kept, kind)}
    />
  );
}
