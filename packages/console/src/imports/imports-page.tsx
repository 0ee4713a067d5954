import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ImportWizard } from './import-wizard.tsx';
import { RunsList } from './runs-list.tsx';
import { openTable, type TableFile } from './table-file.ts';

export function ImportsPage() {
  const may = useMay('catalogue');
  const [table, setTable] = useState<TableFile>();
  const [problem, setProblem] = useState<string>();
  const open = async (file: File) => {
    setProblem(undefined);
    const opened = await openTable(file).catch(() => 'unreadable' as const);
    if (typeof opened === 'string') setProblem(texts.imports.fileProblems[opened](file.name));
    else setTable(opened);
  };
  return (
    <Page title="Imports">
      {table === undefined ? (
        <>
          {may ? <DropZone onFile={(file) => void open(file)} problem={problem} /> : null}
          <Section title="Earlier imports">
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
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard the file is chosen with the field inside
    <div
      className="drop-zone"
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
        Drop a file here, or choose one
        <input
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again after it was mended.
            currentTarget.value = '';
          }}
        />
      </label>
      <p className="hint">
        CSV with any columns and delimiter, or NDJSON. Nothing is imported until you have seen what would
        happen.
      </p>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
