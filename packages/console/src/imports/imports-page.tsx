/** A file, and what becomes of it. */
import { useState } from 'react';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { DropZone } from './drop-zone.tsx';
import { ImportWizard } from './import-wizard.tsx';
import { openTable, type TableFile } from './table-file.ts';

export function ImportsPage() {
  const [table, setTable] = useState<TableFile>();
  const [problem, setProblem] = useState<string>();
  const open = async (file: File) => {
    setProblem(undefined);
    const opened = await openTable(file).catch(() => undefined);
    if (opened === undefined) setProblem(texts.imports.unreadable(file.name));
    setTable(opened);
  };
  return (
    <Page title={texts.imports.title}>
      {table === undefined ? (
        <DropZone onFile={(file) => void open(file)} problem={problem} />
      ) : (
        <ImportWizard key={table.file.name} table={table} onClose={() => setTable(undefined)} />
      )}
    </Page>
  );
}
