/** Every entry holds the hash of the one before: reading all of them shows whether one was removed, changed or moved. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Failure } from '../ui/states.tsx';
import { CopyButton } from '../ui/values.tsx';

export function AuditChain() {
  const [isChecking, setChecking] = useState(false);
  const [result, setResult] = useState<OperatorAnswer<'verifyAudit'>>();
  const [error, setError] = useState<unknown>();
  const words = texts.audit;
  const check = async () => {
    setChecking(true);
    setError(undefined);
    await admin.verifyAudit({}, { timeoutMs: 300_000 }).then(setResult, setError);
    setChecking(false);
  };
  return (
    <section className="chain" aria-label={words.chain}>
      <Button size="xs" variant="default" loading={isChecking} onClick={() => void check()}>
        {words.checkChain}
      </Button>
      <div role="status">
        {result === undefined ? (
          <span className="hint">{words.chainHint}</span>
        ) : result.broken === 0 ? (
          <span>
            <Icon name="check" /> {words.chainWhole(result.checked)}{' '}
            {result.head === null ? null : <CopyButton text={result.head} what={words.head} />}
          </span>
        ) : (
          <Alert className="failure" icon={<Icon name="alert" />} title={words.chainBroken(result.broken)}>
            <ul>
              {result.examples.map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
          </Alert>
        )}
      </div>
      {error === undefined ? null : <Failure error={error} retry={() => void check()} />}
    </section>
  );
}
