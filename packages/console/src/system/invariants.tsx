import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/queries.ts';
import { plural } from '../texts.ts';
import { Failure, Section, useWork } from '../ui/page.tsx';
import { Badge, Time } from '../ui/values.tsx';

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
  const { isRunning, error, run } = useWork();
  const [now, setNow] = useState<OperatorAnswer<'verifyInvariants'>>();
  const check = () => void run(() => admin.verifyInvariants({}, { timeoutMs: TIMEOUT_MS }).then(setNow));
  const shown: readonly Shown[] | undefined =
    now ?? verification?.invariants.map(({ brokenSince, ...one }) => ({ ...one, since: brokenSince }));
  const broken = shown?.filter((one) => one.broken !== 0) ?? [];
  return (
    <Section title="Invariants">
      <div className="chain">
        <Button loading={isRunning} onClick={check}>
          Check now
        </Button>
        <span role="status">
          {shown === undefined ? (
            'Not checked yet.'
          ) : (
            <>
              {broken.length === 0 ? (
                <Badge look={['good', 'check']}>{`All ${shown.length} hold`}</Badge>
              ) : (
                <Badge look={['bad', 'alert']}>{`${broken.length} of ${shown.length} violated`}</Badge>
              )}{' '}
              {now === undefined && verification != null ? (
                <span className="hint">
                  Checked <Time at={verification.finishedAt} />
                </span>
              ) : null}
            </>
          )}
        </span>
      </div>
      {error === undefined ? null : <Failure error={error} retry={check} />}
      <List invariants={broken} />
      {shown === undefined ? null : (
        <details className="all-invariants">
          <summary>Show all {shown.length}</summary>
          <List invariants={shown} />
        </details>
      )}
    </Section>
  );
}

function List({ invariants }: { readonly invariants: readonly Shown[] }) {
  if (invariants.length === 0) return null;
  return (
    <ul className="invariants">
      {invariants.map(({ id, title, broken, since, examples = [] }) => (
        <li key={id}>
          <code>{id}</code>
          <span>
            {title}
            {examples.length === 0 ? null : <span className="hint"> {examples.join('; ')}</span>}
          </span>
          {broken === 0 ? (
            <Badge look={['good', 'check']}>Holds</Badge>
          ) : broken === null ? (
            <Badge look={['neutral', 'clock']}>Not checked</Badge>
          ) : (
            <Badge look={['bad', 'alert']}>{`Violated: ${plural(broken, 'row')}`}</Badge>
          )}
          {since == null ? null : <Time at={since} />}
        </li>
      ))}
    </ul>
  );
}
