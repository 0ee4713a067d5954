/** The progress of a running import, from the service: a browser gets no response while it sends. */
import { Progress } from '@mantine/core';
import { useLive } from '../api/queries.ts';
import { LOCALE } from '../texts.ts';
import { Failure } from '../ui/states.tsx';
import type { useImport } from './use-import.ts';

const EVERY_MS = 1000;

export function ImportProgress({ job }: { readonly job: ReturnType<typeof useImport> }) {
  const { step, importId, rows, error } = job;
  const isBusy = step === 'checking' || step === 'running';
  const { data: run } = useLive(
    ['import-progress', importId],
    async (client, signal) =>
      (await client.listImports({ query: { importId: importId ?? '', limit: 1 } }, { signal })).data[0],
    { everyMs: isBusy ? EVERY_MS : undefined, enabled: isBusy && importId !== undefined },
  );
  if (error !== null) return <Failure error={error} />;
  if (step === 'stopped')
    return <p role="status">Stopped. The lines imported so far are kept, and the import can continue.</p>;
  if (!isBusy) return null;
  const read = run?.importId === importId ? (run?.read ?? 0) : 0;
  const of =
    rows === undefined
      ? read.toLocaleString(LOCALE)
      : `${read.toLocaleString(LOCALE)} of ${rows.toLocaleString(LOCALE)} lines`;
  const isCheck = step === 'checking';
  return (
    <div className="import-progress">
      <p role="status">
        {isCheck ? 'Checking' : 'Importing'} {of}
      </p>
      <Progress
        value={rows === undefined || rows === 0 ? 100 : Math.min(100, (read / rows) * 100)}
        animated
        aria-label={isCheck ? 'Checking' : 'Importing'}
      />
    </div>
  );
}
