/** The facts that shared parts need about the app that they are in: the operators' console, or the portal. */
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { ListName } from './api/queries.ts';
import type { Find } from './forms/search-select.tsx';

export type App = {
  /** The person to whom the drafts belong. */
  readonly owner: string;
  /** The decisions that are due before the write of this preview. */
  readonly toFirst: (
    preview: unknown,
  ) => { readonly notice: ReactNode; readonly open: () => void } | undefined;
  /** Searches for what a filter of this format chooses. */
  readonly finds: Readonly<Record<string, Find>>;
  /** The saved views of a list. */
  readonly Views?: ComponentType<{ readonly list: ListName }>;
};

export const App = createContext<App>({ owner: '', toFirst: () => undefined, finds: {} });
