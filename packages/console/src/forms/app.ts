/** The facts that forms need about the app that they are in. */
import { createContext, type ReactNode } from 'react';

export type FormApp = {
  /** The person to whom the drafts belong. */
  readonly owner: string;
  /** The decisions that are due before the write of this preview. */
  readonly toFirst: (
    preview: unknown,
  ) => { readonly notice: ReactNode; readonly open: () => void } | undefined;
};

export const FormApp = createContext<FormApp>({ owner: '', toFirst: () => undefined });
