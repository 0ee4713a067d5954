/** Unsent entries of a form, kept per tab and person until they are sent. Never used for secrets: entries with a key are not kept. */
import { looksLikeKey } from '@keyport/core/product-code';
import { use, useCallback, useState } from 'react';
import { App } from '../app.ts';
import { DRAFTS } from './forget-drafts.ts';

export function useDraft<Draft extends object>(form: string, initial: Draft) {
  const { owner } = use(App);
  const key = `${DRAFTS}${owner}:${form}`;
  const unsettled = toUnsettled<Draft>(`${key}:unsettled`);
  const [stored] = useState(() => unsettled.get()?.draft ?? read(key));
  // Only edits are kept: what someone else changes before the page is loaded again is no edit of this form.
  const [first] = useState(() => new Map<string, unknown>(Object.entries(initial)));
  const [draft, setDraft] = useState<Draft>({ ...initial, ...stored });
  const change = useCallback(
    (changes: Partial<Draft>) =>
      setDraft((before) => {
        const next = { ...before, ...changes };
        const entries = Object.entries(next).filter(([name, value]) => value !== first.get(name));
        if (hasKey(next)) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(entries)));
        return next;
      }),
    [key, first],
  );
  const forget = useCallback(() => sessionStorage.removeItem(key), [key]);
  const clear = useCallback(() => {
    forget();
    setDraft(initial);
  }, [forget, initial]);
  return { draft, change, clear, forget, unsettled, isRestored: stored !== undefined };
}

function hasKey(draft: object): boolean {
  const texts = Object.values(draft).filter((value) => typeof value === 'string');
  return texts.some((text) => text.split(/[\s,;:()]+/).some(looksLikeKey));
}

/** A write that was sent, and whose outcome is unknown: only the same request with the same key may follow. */
export type Attempt<Draft> = {
  readonly key: string;
  readonly draft: Draft;
  readonly etag: string | undefined;
  /** The effect that was shown before, for the message after a later response. */
  readonly preview?: unknown;
};

/** The unsettled write of a form, which outlives the form and the page. */
export type Unsettled<Draft> = {
  readonly get: () => Attempt<Draft> | undefined;
  readonly set: (attempt: Attempt<Draft> | undefined) => void;
};

const toUnsettled = <Draft>(name: string): Unsettled<Draft> => ({
  get: () => read<Attempt<Draft>>(name),
  set: (attempt) =>
    attempt === undefined
      ? sessionStorage.removeItem(name)
      : sessionStorage.setItem(name, JSON.stringify(attempt)),
});

function read<T extends object>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
