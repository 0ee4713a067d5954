import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Icon } from '../ui/icons.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ImportWizard } from './import-wizard.tsx';
import { RunsList } from './runs-list.tsx';
import { openTable, type TableFile } from './table-file.ts';
import { texts } from './texts.ts';

export function ImportsPage() {
  const may = useMay('catalogue');
  const [table, setTable] = useState<TableFile>();
  const [problem, setProblem] = useState<string>();
  const open = async (file: File) => {
    setProblem(undefined);
    const opened = await openTable(file).catch(() => 'unreadable' as const);
    if (typeof opened === 'string') setProblem(texts.fileProblems[opened](file.name));
    else setTable(opened);
  };
  return (
    <Page title={common.navigation.imports}>
      {table === undefined ? (
        <>
          {may ? <DropZone onFile={(file) => void open(file)} problem={problem} /> : null}
          <Section title={texts.runs}>
            <RunsList />
          </Section>
        </>
      ) : (
        <ImportWizard key={table.file.name} table={table} onClose={() => setTable(undefined)} />
      )}
    </Page>
  );
}

export function DropZone(props: {
  readonly onFile: (file: File) => void;
  readonly problem: string | undefined;
}) {
  const { onFile, problem } = props;
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <Stack
      className="drop-zone"
      align="center"
      gap={6}
      mb={24}
      px={16}
      py={24}
      ta="center"
      bdrs={8}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="imports" size={28} />
      <label>
        {texts.drop}
        <input
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // Lets the operator choose the same file again after correcting it.
            currentTarget.value = '';
          }}
        />
      </label>
      <Hint>{texts.dropHint}</Hint>
      {problem === undefined ? null : (
        <Text c="var(--bad)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
