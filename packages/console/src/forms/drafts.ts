/** Unsent entries of a form, kept per tab and person until they are sent. Never used for secrets. */
import { use, useCallback, useState } from 'react';
import { App } from '../app.ts';

const PREFIX = 'keyport-draft:';

export function useDraft<Draft extends object>(form: string, initial: Draft) {
  const { owner } = use(App);
  const key = `${PREFIX}${owner}:${form}`;
  const [draft, setDraft] = useState<Draft>(() => ({ ...initial, ...read(key) }));
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((before) => {
        const next = { ...before, ...changes };
        sessionStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
    [key],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(key);
    setDraft(initial);
  }, [key, initial]);
  return { draft, change, clear, keptKey: toKeptKey(`${key}:key`) };
}

/** The idempotency key of a write whose outcome is unknown: the form sends it again, even after it was closed. */
export type KeptKey = {
  readonly get: () => string | undefined;
  readonly set: (key: string | undefined) => void;
};

const toKeptKey = (name: string): KeptKey => ({
  get: () => sessionStorage.getItem(name) ?? undefined,
  set: (key) => (key === undefined ? sessionStorage.removeItem(name) : sessionStorage.setItem(name, key)),
});

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

function read(key: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}
