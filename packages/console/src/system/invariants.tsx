import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Failure, Section, useWork } from '../ui/page.tsx';
import { Badge, Time } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Verification = OperatorAnswer<'getSystem'>['lastVerification'];
type Shown = {
  readonly id: string;
  readonly title: string;
  readonly broken: number | null;
  readonly since?: string | null;
  readonly examples?: readonly string[];
};

const TIMEOUT_MS = 300_000;

export function Invariants({ verification }: { readonly verification: Verification }) {
  const words = texts.system;
  const { isRunning, error, run } = useWork();
  const [now, setNow] = useState<OperatorAnswer<'verifyInvariants'>>();
  const check = () => void run(() => admin.verifyInvariants({}, { timeoutMs: TIMEOUT_MS }).then(setNow));
  const shown: readonly Shown[] | undefined =
    now ?? verification?.invariants.map(({ brokenSince, ...one }) => ({ ...one, since: brokenSince }));
  const broken = shown?.filter((one) => one.broken !== 0) ?? [];
  return (
    <Section title={words.invariants}>
      <Group gap="8px 12px" mb={12}>
        <Button loading={isRunning} onClick={check}>
          {common.checkNow}
        </Button>
        <span role="status">
          {shown === undefined ? (
            words.neverChecked
          ) : (
            <>
              {broken.length === 0 ? (
                <Badge look={['good', 'check']}>{words.allHold(shown.length)}</Badge>
              ) : (
                <Badge look={['bad', 'alert']}>{words.someBroken(broken.length, shown.length)}</Badge>
              )}{' '}
              {now === undefined && verification != null ? (
                <Hint span>
                  {words.checkedAt} <Time at={verification.finishedAt} />
                </Hint>
              ) : null}
            </>
          )}
        </span>
      </Group>
      {error === undefined ? null : <Failure error={error} retry={check} />}
      <List invariants={broken} />
      {shown === undefined ? null : (
        <details>
          <summary>{words.showAll(shown.length)}</summary>
          <List invariants={shown} />
        </details>
      )}
    </Section>
  );
}

function List({ invariants }: { readonly invariants: readonly Shown[] }) {
  const words = texts.system;
  if (invariants.length === 0) return null;
  return (
    <ul className="rows">
      {invariants.map(({ id, title, broken, since, examples = [] }) => (
        <li key={id}>
          <code>{id}</code>
          <span className="grow">
            {title}
            {examples.length === 0 ? null : <Hint span> {examples.join('; ')}</Hint>}
          </span>
          {broken === 0 ? (
            <Badge look={['good', 'check']}>{words.holds}</Badge>
          ) : broken === null ? (
            <Badge look={['neutral', 'clock']}>{words.unchecked}</Badge>
          ) : (
            <Badge look={['bad', 'alert']}>{words.broken(broken)}</Badge>
          )}
          {since == null ? null : <Time at={since} />}
        </li>
      ))}
    </ul>
  );
}
