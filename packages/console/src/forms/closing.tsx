import { createContext, type ReactElement, useContext, useState } from 'react';

/** Closes the dialog inside. */
export const Closing = createContext(() => {});
export const useClose = () => useContext(Closing);

/** The dialog that is open, and what opens another one instead. */
export function useDialog() {
  const [content, setContent] = useState<ReactElement>();
  const close = () => setContent(undefined);
  return { dialog: content && <Closing value={close}>{content}</Closing>, open: setContent };
}
