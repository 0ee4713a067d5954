/** Work of many requests, which the operator can stop. Leaving the page asks first, and stops it too. */
import { useEffect, useRef, useState } from 'react';
import { holdPage } from '../places.tsx';
import { texts } from './texts.ts';

export function useStopping() {
  const controller = useRef<AbortController>(undefined);
  const [state, setState] = useState<'idle' | 'running' | 'stopping'>('idle');
  const isRunning = state !== 'idle';
  const release = useRef(() => {});
  useEffect(
    () => () => {
      controller.current?.abort();
      release.current();
    },
    [],
  );
  return {
    isRunning,
    isStopping: state === 'stopping',
    /** The work must start nothing more once the signal is aborted. */
    async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      controller.current = new AbortController();
      release.current = holdPage(() => window.confirm(texts.steps.leave));
      setState('running');
      try {
        return await work(controller.current.signal);
      } finally {
        release.current();
        setState('idle');
      }
    },
    stop() {
      setState('stopping');
      controller.current?.abort();
    },
  };
}
