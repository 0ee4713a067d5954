/** The facts that shared parts need about the app that they are in: the operators' console, or the portal. */
import type { WritePreview } from '@keyport/sdk-source/admin';
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { ListName, OperationName } from './api/queries.ts';
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
  /** Finds the order of a key, which belongs in no URL. Without it, a list searches for the end of a key. */
  readonly findKey?: (code: string) => void;
  /** The previews of operators' writes show what a write moves before it is sent. */
  readonly previews?: {
    readonly load: (
      operation: OperationName,
      input: object,
    ) => Promise<{ readonly preview: WritePreview; readonly etag: string }>;
    readonly Facts: ComponentType<{
      readonly preview: WritePreview | undefined;
      readonly says?: ReactNode;
      readonly account?: string | undefined;
    }>;
    /** The amount that must be typed. */
    readonly typed: (preview: WritePreview | undefined) => string | undefined;
    readonly toSubmit: (
      preview: WritePreview | undefined,
      plain: string,
      submit: (amount: string) => string,
    ) => string;
    readonly toAmount: (amount: string) => string;
    readonly onWaiting: (amount: string) => void;
  };
  /** The saved views of a list. */
  readonly Views?: ComponentType<{ readonly list: ListName }>;
};

export const App = createContext<App>({ owner: '', toFirst: () => undefined, finds: {} });
