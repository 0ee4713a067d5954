import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { saveCsv } from '../api/download.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Section } from '../ui/page.tsx';
import { Warning } from '../ui/states.tsx';
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
    <Section title={isCheck ? words.checkResult : words.result}>
      <p ref={outcome} role="status" tabIndex={-1} className="outcome">
        {isCheck ? words.wouldWrite(written, unchanged, rejected) : words.wrote(written, unchanged, rejected)}
        {removed === 0 ? '' : ` ${isCheck ? words.wouldRemove(removed) : words.removed(removed)}`}
        {isCheck && written + removed === 0 && removalsToConfirm === undefined ? ` ${words.nothingToDo}` : ''}
      </p>
      {job.repeated === 0 ? null : <p>{words.repeated(job.repeated)}</p>}
      {removalsToConfirm !== undefined ? (
        <Warning icon="alert">{words.confirmRemovals(removalsToConfirm)}</Warning>
      ) : removalRefused !== undefined ? (
        <Warning icon="alert">{removalRefused}</Warning>
      ) : null}
      {result.prices === undefined ? null : <PriceChanges prices={result.prices} />}
      {errors.length === 0 ? null : (
        <>
          <ul className="rejects">
            {errors.slice(0, SHOWN).map(({ line, message }) => (
              <li key={line}>
                <span>{words.line(line)}</span> {message}
              </li>
            ))}
          </ul>
          <Button
            size="xs"
            variant="default"
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
            {words.look}
          </Link>
        </p>
      )}
    </Section>
  );
}
