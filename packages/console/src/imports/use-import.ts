/** Sends a file, first as a check that stores nothing. An interrupted import can continue. */
import type { ImportKind, ImportResult } from '@keyport/contract/catalogue/imports';
import { useRef, useState } from 'react';
import { admin, queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { describeReject, type Mapping, type SellerIds } from './mapping.ts';
import type { Prepared, prepare, TableFile } from './table-file.ts';

type Step = 'columns' | 'checking' | 'checked' | 'running' | 'stopped' | 'done';

type Sending = {
  readonly importId: string;
  readonly prepared: Prepared;
  readonly isCheck: boolean;
  readonly confirmRemovals: number | undefined;
};

export function useImport(what: {
  readonly table: TableFile;
  readonly kind: ImportKind;
  readonly mapping: Mapping;
  readonly sellers: SellerIds | undefined;
  readonly deleteMissing: boolean;
}) {
  const { table, kind, mapping, sellers, deleteMissing } = what;
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
    if (deleteMissing) query.set('deleteMissing', 'true');
    if (next.confirmRemovals !== undefined) query.set('confirmRemovals', String(next.confirmRemovals));
    try {
      const response = await admin.fetch(`/admin/v1/imports/${kind}?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: next.prepared.body,
        signal: abort.signal,
      });
      const { data }: { data: ImportResult } = await response.json();
      setResult(data);
      setStep(next.isCheck ? 'checked' : 'done');
      void queryClient.invalidateQueries();
    } catch (thrown) {
      if (!abort.signal.aborted) setError(thrown);
      setStep(next.isCheck ? 'columns' : 'stopped');
    }
  };

  return {
    step,
    kind,
    result,
    errors: (result?.errors ?? []).map(({ line, message }) => ({
      line,
      message: table.format === 'table' ? describeReject(message, mapping, table.head) : message,
    })),
    error,
    importId: sending?.importId,
    rows: sending?.prepared.rows,
    repeated: sending?.prepared.repeated ?? 0,
    check: async () => {
      setStep('checking');
      const abort = new AbortController();
      aborting.current = abort;
      try {
        const prepared = await prepareBeside(abort.signal, table, kind, mapping, sellers);
        await send({ importId: `console-${newUuid()}`, prepared, isCheck: true, confirmRemovals: undefined });
      } catch (thrown) {
        if (!abort.signal.aborted) setError(thrown);
        setStep('columns');
      }
    },
    run: (confirmRemovals: number | undefined) => {
      if (sending === undefined) return;
      const { prepared } = sending;
      void send({ importId: `console-${newUuid()}`, prepared, isCheck: false, confirmRemovals });
    },
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

function prepareBeside(signal: AbortSignal, ...args: Parameters<typeof prepare>): Promise<Prepared> {
  const worker = new Worker(new URL('./prepare-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<Prepared>();
  worker.onmessage = ({ data }) =>
    data.prepared === undefined ? reject(data.error) : resolve(data.prepared);
  worker.onerror = ({ message }) => reject(new Error(message));
  signal.onabort = () => reject(signal.reason);
  worker.postMessage(args);
  return promise.finally(() => worker.terminate());
}
