import { Button, Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { saveCsv } from '../api/download.ts';
import { useLive } from '../api/queries.ts';
import { formatCount, plural, texts } from '../texts.ts';
import { Failure, Section, Warning } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { PriceChanges } from './price-changes.tsx';
import type { useImport } from './use-import.ts';

const SHOWN = 20;

export function ImportOutcome({ job }: { readonly job: ReturnType<typeof useImport> }) {
  const { step, result } = job;
  const outcome = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone. The next steps come after the outcome.
  useEffect(() => {
    if (step !== 'checked' && step !== 'done') return;
    outcome.current?.focus({ preventScroll: true });
    outcome.current?.scrollIntoView({ block: 'center' });
  }, [step]);
  if (result === undefined || (step !== 'checked' && step !== 'done')) return null;
  const words = texts.imports;
  const { written, unchanged, rejected, removed, removalRefused, removalsToConfirm, errors } = result;
  const isCheck = step === 'checked';
  return (
    <Section title={isCheck ? 'What would happen' : 'Result'}>
      <p ref={outcome} role="status" tabIndex={-1} className="outcome">
        {plural(written, 'line')} {isCheck ? 'would change something' : 'imported'}, {formatCount(unchanged)}{' '}
        unchanged, {formatCount(rejected)} rejected.
        {removed === 0 ? '' : ` ${formatCount(removed)} ${isCheck ? 'would be ' : ''}taken off sale.`}
        {isCheck && written + removed === 0 && removalsToConfirm === undefined
          ? ' There is nothing to import.'
          : ''}
      </p>
      {job.repeated === 0 ? null : (
        <p>
          {plural(job.repeated, 'line repeats', 'lines repeat')} the subject of an earlier line; the last one
          counts.
        </p>
      )}
      {removalsToConfirm !== undefined ? (
        <Warning icon="alert">{`This takes ${formatCount(removalsToConfirm)} off sale, a large part of the catalogue. Check that the file is complete.`}</Warning>
      ) : removalRefused !== undefined ? (
        <Warning icon="alert">{removalRefused}</Warning>
      ) : null}
      {result.prices === undefined ? null : <PriceChanges prices={result.prices} />}
      {errors.length === 0 ? null : (
        <>
          <ul className="rejects">
            {errors.slice(0, SHOWN).map(({ line, message }) => (
              <li key={line}>
                <span>Line {formatCount(line)}</span> {message}
              </li>
            ))}
          </ul>
          <Button
            onClick={() =>
              saveCsv(
                'rejected.csv',
                ['line', 'message'],
                errors.map(({ line, message }) => [String(line), message]),
              )
            }
          >
            {words.downloadRejects(errors.length)}
          </Button>
        </>
      )}
      {isCheck ? null : (
        <p>
          <Link
            to={
              job.kind === 'sellers'
                ? paths.sellers
                : job.kind === 'products'
                  ? paths.catalogue
                  : paths.offers
            }
          >
            Open the catalogue
          </Link>
        </p>
      )}
    </Section>
  );
}

/** The progress of a running import, from the service: a browser gets no response while it sends. */
export function ImportProgress({ job }: { readonly job: ReturnType<typeof useImport> }) {
  const { step, importId, rows, error } = job;
  const isBusy = step === 'checking' || step === 'running';
  const { data: run } = useLive(
    ['import-progress', importId],
    async (client, signal) =>
      (await client.listImports({ query: { importId: importId ?? '', limit: 1 } }, { signal })).data[0],
    { everyMs: isBusy ? 1000 : undefined, enabled: isBusy && importId !== undefined },
  );
  if (error !== null) return <Failure error={error} />;
  if (step === 'stopped')
    return <p role="status">Stopped. The lines imported so far are kept, and the import can continue.</p>;
  if (!isBusy) return null;
  const read = run?.importId === importId ? (run?.read ?? 0) : 0;
  const of = rows === undefined ? formatCount(read) : `${formatCount(read)} of ${formatCount(rows)} lines`;
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
