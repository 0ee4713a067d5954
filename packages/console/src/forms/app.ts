/** What forms need to know about the app that they are in. */
import { createContext, type ReactNode } from 'react';

export type FormApp = {
  /** Whose drafts these are. */
  readonly owner: string;
  /** What should be decided before the write of this preview. */
  readonly toFirst: (
    preview: unknown,
  ) => { readonly notice: ReactNode; readonly open: () => void } | undefined;
};

export const FormApp = createContext<FormApp>({ owner: '', toFirst: () => undefined });
