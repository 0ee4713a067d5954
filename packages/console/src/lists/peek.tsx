import { Suspense, useRef } from 'react';
import { lazyPart } from '../shell/lazy.ts';
import { useUrl } from '../url.ts';
import type { PeekProps } from './peek-drawer.tsx';

const PeekDrawer = lazyPart(async () => (await import('./peek-drawer.tsx')).PeekDrawer);

/** Loaded when a row is first viewed. */
export function Peek(props: PeekProps) {
  const { search } = useUrl();
  const wasOpen = useRef(false);
  wasOpen.current ||= search['peek'] !== undefined;
  return <Suspense>{wasOpen.current ? <PeekDrawer {...props} /> : null}</Suspense>;
}
