import { createContext, type ReactElement, useContext, useState } from 'react';

/** Closes the dialog that contains the component. */
export const Closing = createContext(() => {});
export const useClose = () => useContext(Closing);

/** The open dialog, and a function that opens another one instead. */
export function useDialog() {
  const [content, setContent] = useState<ReactElement>();
  const close = () => setContent(undefined);
  return { dialog: content && <Closing value={close}>{content}</Closing>, open: setContent };
}
