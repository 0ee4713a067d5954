import { Button, Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { saveCsv } from '../api/download.ts';
import { useLive } from '../api/queries.ts';
import { formatCount } from '../texts.ts';
import { Failure, Section, Warning } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { PriceChanges } from './price-changes.tsx';
import { texts } from './texts.ts';
import type { useImport } from './use-import.ts';

const SHOWN = 20;

export function ImportOutcome({ job }: { readonly job: ReturnType<typeof useImport> }) {
  const { step, result, errors } = job;
  const outcome = useRef<HTMLParagraphElement>(null);
  // The pressed button is gone, so the focus moves to the outcome, which the next steps follow.
  useEffect(() => {
    if (step !== 'checked' && step !== 'done') return;
    outcome.current?.focus({ preventScroll: true });
    outcome.current?.scrollIntoView({ block: 'center' });
  }, [step]);
  if (result === undefined || (step !== 'checked' && step !== 'done')) return null;
  const { written, unchanged, rejected, removed, removalRefused, removalsToConfirm } = result;
  const isCheck = step === 'checked';
  return (
    <Section title={isCheck ? texts.checkResult : texts.result}>
      <p ref={outcome} role="status" tabIndex={-1} className="outcome">
        {isCheck ? texts.wouldWrite(written, unchanged, rejected) : texts.wrote(written, unchanged, rejected)}
        {removed === 0
          ? ''
          : ` ${isCheck ? texts.wouldRemove(removed, job.kind) : texts.removed(removed, job.kind)}`}
        {isCheck && written + removed === 0 && removalsToConfirm === undefined ? ` ${texts.nothingToDo}` : ''}
      </p>
      {job.repeated === 0 ? null : <p>{texts.repeated(job.repeated)}</p>}
      {removalsToConfirm !== undefined ? (
        <Warning icon="alert">{texts.confirmRemovals(removalsToConfirm, job.kind)}</Warning>
      ) : removalRefused !== undefined ? (
        <Warning icon="alert">{removalRefused}</Warning>
      ) : null}
      {result.prices === undefined ? null : <PriceChanges prices={result.prices} />}
      {errors.length === 0 ? null : (
        <>
          <ul className="rejects">
            {errors.slice(0, SHOWN).map(({ line, message }) => (
              <li key={line}>
                <span>{texts.line(line)}</span> {message}
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
            {texts.downloadRejects(errors.length)}
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
            {texts.look}
          </Link>
        </p>
      )}
    </Section>
  );
}

/** The progress of a running import, from the service: a browser gets no response while it uploads. */
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
  if (step === 'stopped') return <p role="status">{texts.stopped}</p>;
  if (!isBusy) return null;
  const read = run?.importId === importId ? (run?.read ?? 0) : 0;
  const of = rows === undefined ? formatCount(read) : texts.of(read, rows);
  const doing = step === 'checking' ? texts.checking : texts.running;
  return (
    <div className="import-progress">
      <p role="status">
        {doing} {of}
      </p>
      <Progress
        value={rows === undefined || rows === 0 ? 100 : Math.min(100, (read / rows) * 100)}
        animated
        aria-label={doing}
      />
    </div>
  );
}
