/** Sends a file, first as a check that stores nothing. An interrupted import can be sent again. */
import type { ImportKind, ImportResult } from '@keyport/contract/catalogue/imports';
import { useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { describeReject, type Mapping, toMappingFile } from './mapping.ts';
import type { TableFile } from './table-file.ts';

type Step = 'columns' | 'checking' | 'checked' | 'running' | 'stopped' | 'done';

type Sending = {
  readonly importId: string;
  readonly isCheck: boolean;
  readonly confirmRemovals: number | undefined;
};

export function useImport(what: {
  readonly table: TableFile;
  readonly kind: ImportKind;
  readonly mapping: Mapping;
  readonly deleteMissing: boolean;
}) {
  const { table, kind, mapping, deleteMissing } = what;
  const [step, setStep] = useState<Step>('columns');
  const [sending, setSending] = useState<Sending>();
  const [result, setResult] = useState<ImportResult>();
  const [error, setError] = useState<unknown>(null);
  const aborting = useRef<AbortController>(undefined);

  const send = async (next: Sending) => {
    const abort = new AbortController();
    aborting.current = abort;
    setSending(next);
    setError(null);
    setStep(next.isCheck ? 'checking' : 'running');
    const fileName = table.file.name.replaceAll(/\p{Cc}/gu, '').slice(0, 255);
    const query = new URLSearchParams({ importId: next.importId, dryRun: String(next.isCheck) });
    if (fileName !== '') query.set('fileName', fileName);
    const isTable = table.format === 'table';
    if (isTable) query.set('hasMapping', 'true');
    const first = isTable ? [`${JSON.stringify(toMappingFile(table, kind, mapping))}\n`] : [];
    if (deleteMissing) query.set('deleteMissing', 'true');
    if (next.confirmRemovals !== undefined) query.set('confirmRemovals', String(next.confirmRemovals));
    try {
      const response = await admin.fetch(`/admin/v1/imports/${kind}?${query}`, {
        method: 'POST',
        headers: { 'content-type': isTable ? 'text/csv' : 'application/x-ndjson' },
        body: new Blob([...first, table.file]),
        signal: abort.signal,
      });
      const { data }: { data: ImportResult } = await response.json();
      setResult(data);
      setStep(next.isCheck ? 'checked' : 'done');
      void queryClient.invalidateQueries();
    } catch (thrown) {
      if (!abort.signal.aborted) setError(thrown);
      setStep('stopped');
    }
  };

  return {
    step,
    kind,
    result,
    errors: (result?.errors ?? []).map(({ line, message }) => ({
      line,
      message: describeReject(message, table.format === 'table' ? { mapping, head: table.head } : undefined),
    })),
    error,
    importId: sending?.importId,
    isCheck: sending?.isCheck === true,
    lines: table.lines,
    check: () => send({ importId: `console-${newUuid()}`, isCheck: true, confirmRemovals: undefined }),
    run: (confirmRemovals: number | undefined) =>
      send({ importId: `console-${newUuid()}`, isCheck: false, confirmRemovals }),
    goOn: () => {
      if (sending !== undefined) void send(sending);
    },
    stop: () => aborting.current?.abort(),
    reset: () => {
      setStep('columns');
      setResult(undefined);
      setError(null);
    },
  };
}
