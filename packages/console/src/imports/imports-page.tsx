import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { Page, Section } from '../ui/page.tsx';
import { DropZone } from './drop-zone.tsx';
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
