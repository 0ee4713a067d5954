import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Hint } from '../ui/hint.tsx';
import { Section } from '../ui/page.tsx';
import { ImportColumns } from './import-columns.tsx';
import { ImportOutcome, ImportProgress } from './import-outcome.tsx';
import { guessMapping, likelyKind, type Mapping, missingFields } from './mapping.ts';
import { type TableFile, withoutHead } from './table-file.ts';
import { texts } from './texts.ts';
import { useImport } from './use-import.ts';
import '../mantine-more.css';

const KINDS = Object.entries(texts.kinds).map(([value, label]) => ({ value, label }));

function useChoices(file: TableFile) {
  const [hasHead, setHasHead] = useState(true);
  const table = hasHead ? file : withoutHead(file);
  const [kind, setKind] = useState<ImportKind>(() => likelyKind(file.head, file.samples));
  const [mapping, setMapping] = useState<Mapping>(() => guess(kind, file));
  const [deleteMissing, setDeleteMissing] = useState(false);
  return {
    table,
    kind,
    mapping,
    deleteMissing,
    hasHead,
    setKind(next: ImportKind) {
      setKind(next);
      setMapping(guess(next, table));
    },
    setMapping,
    setDeleteMissing,
    setHasHead(next: boolean) {
      setHasHead(next);
      setMapping(guess(kind, next ? file : withoutHead(file)));
    },
  };
}

function guess(kind: ImportKind, { format, head, samples }: TableFile): Mapping {
  return format === 'table' ? guessMapping(kind, head, samples) : {};
}

export function ImportWizard(props: { readonly table: TableFile; readonly onClose: () => void }) {
  const choices = useChoices(props.table);
  const { table, kind, mapping, deleteMissing } = choices;
  const job = useImport({ table, kind, mapping, deleteMissing });
  const missing = table.format === 'table' ? missingFields(kind, mapping) : [];
  return (
    <>
      <Steps step={job.step} />
      <Section title={table.file.name}>
        <Choices
          choices={choices}
          job={job}
          canLackHead={props.table.format === 'table' && props.table.headLine === 1}
        />
      </Section>
      <ImportProgress job={job} />
      <ImportOutcome job={job} />
      {missing.length > 0 ? <Text c="var(--bad)">{texts.missing(missing)}</Text> : null}
      <WizardButtons job={job} isReady={missing.length === 0} onClose={props.onClose} />
    </>
  );
}

function Choices(props: {
  readonly choices: ReturnType<typeof useChoices>;
  readonly job: Job;
  /** True if the first line may be either the columns' names or data. */
  readonly canLackHead: boolean;
}) {
  const { choices, job, canLackHead } = props;
  const { table, kind, mapping, deleteMissing, hasHead } = choices;
  const change = (act: () => void) => {
    act();
    job.reset();
  };
  return (
    <fieldset
      disabled={job.step !== 'columns' && job.step !== 'checked' && !(job.step === 'stopped' && job.isCheck)}
    >
      <Stack>
        <NativeSelect
          maw={260}
          label={texts.kind}
          value={kind}
          data={KINDS}
          onChange={({ currentTarget }) => change(() => choices.setKind(currentTarget.value as ImportKind))}
        />
        {canLackHead ? (
          <Checkbox
            label={texts.firstLine}
            checked={hasHead}
            onChange={({ currentTarget }) => change(() => choices.setHasHead(currentTarget.checked))}
          />
        ) : null}
        {table.format === 'ndjson' ? (
          <Hint>{texts.asItIs}</Hint>
        ) : (
          <ImportColumns
            table={table}
            kind={kind}
            mapping={mapping}
            onChange={(next) => change(() => choices.setMapping(next))}
          />
        )}
        {kind === 'products' ? <Hint>{texts.wholeProducts}</Hint> : null}
        <Checkbox
          label={texts.deleteMissing}
          description={texts.deleteMissingSays[kind]}
          checked={deleteMissing}
          onChange={({ currentTarget }) => change(() => choices.setDeleteMissing(currentTarget.checked))}
        />
      </Stack>
    </fieldset>
  );
}

type Job = ReturnType<typeof useImport>;

function WizardButtons(props: {
  readonly job: Job;
  readonly isReady: boolean;
  readonly onClose: () => void;
}) {
  const { job, isReady, onClose } = props;
  const { step, result } = job;
  const isBusy = step === 'checking' || step === 'running';
  const writes = result?.written ?? 0;
  const toConfirm = result?.removalsToConfirm;
  const removes = toConfirm ?? result?.removed ?? 0;
  return (
    <Group justify="flex-end" mt={16}>
      {isBusy ? (
        <Button size="sm" onClick={job.stop}>
          {texts.stop}
        </Button>
      ) : (
        <Button size="sm" onClick={onClose}>
          {step === 'done' ? texts.another : texts.discard}
        </Button>
      )}
      {step === 'columns' ? (
        <Button
          variant="filled"
          size="sm"
          onClick={isReady ? job.check : undefined}
          aria-disabled={!isReady}
          data-disabled={!isReady}
        >
          {texts.check}
        </Button>
      ) : null}
      {step === 'checked' && (writes > 0 || removes > 0) ? (
        <Button
          variant="filled"
          size="sm"
          onClick={() => job.run(toConfirm)}
          color={toConfirm === undefined ? 'indigo' : 'bad'}
        >
          {toConfirm === undefined ? texts.run(writes) : texts.runAndRemove(writes, toConfirm, job.kind)}
        </Button>
      ) : null}
      {step === 'stopped' ? (
        <Button variant="filled" size="sm" onClick={job.goOn}>
          {texts.goOn}
        </Button>
      ) : null}
    </Group>
  );
}

function Steps({ step }: { readonly step: Job['step'] }) {
  const current = step === 'columns' ? 1 : step === 'checking' || step === 'checked' ? 2 : 3;
  return (
    <Group component="ol" gap="8px 20px" mb={16} c="dimmed" aria-label={texts.stepsLabel}>
      {texts.steps.map((name, index) => (
        <Text
          component="li"
          key={name}
          {...(index === current && { c: 'var(--accent)', fw: 600 })}
          aria-current={index === current ? 'step' : undefined}
          data-done={index < current || step === 'done'}
        >
          {index + 1} {name}
        </Text>
      ))}
    </Group>
  );
}
