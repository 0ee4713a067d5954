import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Box, Button, Progress, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { saveCsv } from '../api/download.ts';
import { useLive } from '../api/queries.ts';
import { Failure, Section, Warning } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { toMessage } from '../ui/wording.ts';
import { paths } from '../url.ts';
import { PriceChanges } from './price-changes.tsx';
import type { Run } from './runs-list.tsx';
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
      <Text ref={outcome} role="status" tabIndex={-1} className="outcome" fw={600} mb={8}>
        {isCheck ? texts.wouldWrite(written, unchanged, rejected) : texts.wrote(written, unchanged, rejected)}
        {removed === 0
          ? ''
          : ` ${isCheck ? texts.wouldRemove(removed, job.kind) : texts.removed(removed, job.kind)}`}
        {isCheck && written + removed === 0 && removalsToConfirm === undefined ? ` ${texts.nothingToDo}` : ''}
      </Text>
      {(result.trimmed ?? 0) === 0 ? null : <p>{texts.trimmed(result.trimmed ?? 0)}</p>}
      {removalsToConfirm !== undefined ? (
        <Warning icon="alert">{texts.confirmRemovals(removalsToConfirm, job.kind)}</Warning>
      ) : removalRefused !== undefined ? (
        <Warning icon="alert">{removalRefused}</Warning>
      ) : null}
      {result.prices === undefined ? null : <PriceChanges prices={result.prices} isCheck={isCheck} />}
      {errors.length === 0 ? null : (
        <>
          <ul className="rows">
            {errors.slice(0, SHOWN).map(({ line, message }) => (
              <li key={line}>
                <Text span c="dimmed" miw={76}>
                  {texts.line(line)}
                </Text>{' '}
                {message}
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
  const { step, importId, lines, error } = job;
  const isBusy = step === 'checking' || step === 'running';
  const isWatched = isBusy || step === 'stopped';
  const { data: run } = useLive(
    ['import-progress', importId],
    async (client, signal) =>
      (await client.call('listImports', { query: { importId: importId ?? '', limit: 1 } }, { signal }))
        .data[0],
    { everyMs: isWatched ? 1000 : undefined, enabled: isWatched && importId !== undefined },
  );
  const shown = run?.importId === importId ? run : undefined;
  if (step === 'stopped') return <Stopped error={error} run={shown} isCheck={job.isCheck} />;
  if (error !== null) return <Failure error={error} />;
  if (!isBusy) return null;
  const read = shown?.read ?? 0;
  const doing = step === 'checking' ? texts.checking : texts.running;
  return (
    <Box mb={16}>
      <p role="status">
        {doing} {texts.of(read, lines)}
      </p>
      <Progress value={Math.min(100, (read / Math.max(1, lines)) * 100)} animated aria-label={doing} />
    </Box>
  );
}

/** The upload ended without a report, so this shows what the service has stored. */
function Stopped(props: {
  readonly error: unknown;
  readonly run: Run | undefined;
  readonly isCheck: boolean;
}) {
  const { error, run, isCheck } = props;
  const status = Object(Object(error).response).status;
  const problem =
    error === null
      ? texts.stopped
      : status === 413
        ? texts.tooLarge
        : error instanceof KeyportError
          ? toMessage(error)
          : texts.lost;
  return (
    <Warning icon="alert" role="alert">
      {[problem, texts.stored(run), ...(isCheck ? [] : [texts.sendAgain])].join(' ')}
    </Warning>
  );
}
