/** Warns two minutes before the session ends, so that the end does not interrupt a form. */
import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { loadSession, type Session, useSession } from '../api/session.ts';
import { texts } from './texts.ts';

const WARN_BEFORE_MS = 120_000;
const CHECK_EVERY_MS = 10_000;

export function SessionEnd() {
  const { endsAt } = useSession<Session>();
  const [nowMs, setNowMs] = useState(Date.now());
  const leftMs = Date.parse(endsAt) - nowMs;
  const isNear = leftMs < WARN_BEFORE_MS;
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  // Use in any tab extends the session, so its end is loaded again before the warning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at every check
  useEffect(() => {
    if (isNear) void loadSession({ isUse: false }).catch(() => {});
  }, [isNear, nowMs]);
  // Another tab may have ended the session, or begun another one.
  useEffect(() => {
    const check = () => void (document.hidden || loadSession({ isUse: false }).catch(() => {}));
    addEventListener('focus', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      removeEventListener('focus', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
  if (!isNear || leftMs < 0) return null;
  return (
    <Alert color="warn" role="alert">
      {texts.signIn.ending(Math.ceil(leftMs / 60_000))}{' '}
      <Button onClick={() => void loadSession({ isUse: true }).catch(() => {})}>{texts.signIn.stay}</Button>
    </Alert>
  );
}
