/** That a check or an import is at work, or why it stopped. */
import { Progress } from '@mantine/core';
import { texts } from '../texts.ts';
import { Failure } from '../ui/states.tsx';
import type { useImport } from './use-import.ts';

export function ImportProgress({ job }: { readonly job: ReturnType<typeof useImport> }) {
  const { step, rows, error } = job;
  if (error !== null) return <Failure error={error} />;
  if (step === 'stopped') return <p role="status">{texts.imports.stopped}</p>;
  if (step !== 'checking' && step !== 'running') return null;
  const what = step === 'checking' ? texts.imports.checking : texts.imports.running;
  return (
    <div className="import-progress">
      <p role="status">
        {what} {rows === undefined ? '' : texts.imports.lines(rows)}
      </p>
      <Progress value={100} animated aria-label={what} />
    </div>
  );
}
