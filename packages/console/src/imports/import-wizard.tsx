/** From a file to its result: columns, a check that keeps nothing, then the import. */
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts.ts';
import { Section } from '../ui/page.tsx';
import { ImportColumns } from './import-columns.tsx';
import { ImportOutcome } from './import-outcome.tsx';
import { ImportProgress } from './import-progress.tsx';
import { guessMapping, type ImportKind, type Mapping, missingFields } from './mapping.ts';
import type { TableFile } from './table-file.ts';
import { useImport } from './use-import.ts';

const KINDS = Object.entries(texts.imports.kinds).map(([value, label]) => ({ value, label }));

export function ImportWizard(props: { readonly table: TableFile; readonly onClose: () => void }) {
  const { table, onClose } = props;
  const guess = (guessed: ImportKind) =>
    table.format === 'table' ? guessMapping(guessed, table.head, table.samples) : {};
  const [kind, setKind] = useState<ImportKind>(() => likelyKind(guess));
  const [mapping, setMapping] = useState<Mapping>(() => guess(kind));
  const [deleteMissing, setDeleteMissing] = useState(false);
  const job = useImport({ table, kind, mapping, deleteMissing });
  const missing = table.format === 'table' ? missingFields(kind, mapping) : [];
  const change = (act: () => void) => {
    act();
    job.reset();
  };
  const isFixed = job.step !== 'columns' && job.step !== 'checked';
  return (
    <>
      <Steps step={job.step} />
      <Section title={table.file.name}>
        <fieldset className="import-choices" disabled={isFixed}>
          <NativeSelect
            label={texts.imports.kind}
            value={kind}
            data={KINDS}
            onChange={({ currentTarget }) =>
              change(() => {
                const next = currentTarget.value as ImportKind;
                setKind(next);
                setMapping(guess(next));
              })
            }
          />
          {table.format === 'ndjson' ? (
            <p className="hint">{texts.imports.asItIs}</p>
          ) : (
            <ImportColumns
              {...{ table, kind, mapping }}
              onChange={(next) => change(() => setMapping(next))}
            />
          )}
          <Checkbox
            label={texts.imports.deleteMissing}
            description={texts.imports.deleteMissingSays[kind]}
            checked={deleteMissing}
            onChange={({ currentTarget }) => change(() => setDeleteMissing(currentTarget.checked))}
          />
        </fieldset>
      </Section>
      <ImportProgress job={job} />
      <ImportOutcome job={job} />
      {missing.length > 0 ? <p className="problem">{texts.imports.missing(missing.join(', '))}</p> : null}
      <WizardButtons job={job} isReady={missing.length === 0} onClose={onClose} />
    </>
  );
}

type Job = ReturnType<typeof useImport>;

function WizardButtons(props: {
  readonly job: Job;
  readonly isReady: boolean;
  readonly onClose: () => void;
}) {
  const { job, isReady, onClose } = props;
  const words = texts.imports;
  const { step, result } = job;
  const isBusy = step === 'checking' || step === 'running';
  const writes = result?.written ?? 0;
  const toConfirm = result?.removalsToConfirm;
  return (
    <div className="buttons wizard">
      {isBusy ? (
        <Button variant="default" onClick={job.stop}>
          {words.stop}
        </Button>
      ) : (
        <Button variant="default" onClick={onClose}>
          {step === 'done' ? words.another : words.discard}
        </Button>
      )}
      {step === 'columns' ? (
        <Button onClick={isReady ? job.check : undefined} aria-disabled={!isReady} data-disabled={!isReady}>
          {words.check}
        </Button>
      ) : null}
      {step === 'checked' ? (
        <Button onClick={() => job.run(toConfirm)} className={toConfirm === undefined ? '' : 'danger'}>
          {toConfirm === undefined ? words.run(writes) : words.runAndRemove(writes, toConfirm)}
        </Button>
      ) : null}
      {step === 'stopped' ? <Button onClick={job.goOn}>{words.goOn}</Button> : null}
    </div>
  );
}

function Steps({ step }: { readonly step: Job['step'] }) {
  const words = texts.imports;
  const current = step === 'columns' ? 1 : step === 'checking' || step === 'checked' ? 2 : 3;
  return (
    <ol className="steps" aria-label={words.stepsLabel}>
      {words.steps.map((name, index) => (
        <li
          key={name}
          aria-current={index === current ? 'step' : undefined}
          data-done={index < current || step === 'done'}
        >
          {index + 1} {name}
        </li>
      ))}
    </ol>
  );
}

/** That of which most required fields are found; of equal ones, the one that says most. */
function likelyKind(guess: (kind: ImportKind) => Mapping): ImportKind {
  const kinds: readonly ImportKind[] = ['offers', 'prices', 'products', 'keys', 'sellers'];
  const missingOf = (kind: ImportKind) => missingFields(kind, guess(kind)).length;
  return kinds.toSorted((a, b) => missingOf(a) - missingOf(b))[0] ?? 'offers';
}
