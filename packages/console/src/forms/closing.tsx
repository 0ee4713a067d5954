import { createContext, type ReactElement, Suspense, useContext, useEffect } from 'react';
import { currentPath, usePlace } from '../places.tsx';
import { createStore } from '../ui/store.ts';

/** Closes the dialog that contains the component. */
export const Closing = createContext(() => {});
export const useClose = () => useContext(Closing);

type Opened = { readonly dialog: ReactElement; readonly path: string };

const opened = createStore<readonly Opened[]>([]);

/** Opens a dialog above the others, until it is closed or the page changes. */
export function openDialog(dialog: ReactElement): void {
  opened.set([...opened.get(), { dialog, path: currentPath() }]);
}

export function Dialogs() {
  const { path } = usePlace();
  useEffect(() => opened.set(opened.get().filter((one) => one.path === path)), [path]);
  return opened.use().map((one, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: dialogs close from the top
    <Closing key={place} value={() => opened.set(opened.get().filter((other) => other !== one))}>
      <Suspense>{one.dialog}</Suspense>
    </Closing>
  ));
}
