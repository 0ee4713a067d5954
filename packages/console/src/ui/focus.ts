/** If the focused element disappears, focuses the previous one or the heading, because browsers drop the focus. */
import { useEffect } from 'react';

const REMEMBERED_MAX = 20;

export function useKeptFocus(): void {
  useEffect(() => {
    let recent: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      recent = [...recent.filter((one) => one !== target), target].slice(-REMEMBERED_MAX);
    };
    const observer = new MutationObserver(() => {
      const last = recent.at(-1);
      if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
      recent = recent.filter((one) => one.isConnected);
      const before = recent.findLast((one) => !one.matches(':disabled') && one.checkVisibility());
      (before ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
