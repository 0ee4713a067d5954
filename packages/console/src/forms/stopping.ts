/** Work of many requests, which the operator can stop. Leaving the page asks first, and stops it too. */
import { useEffect, useRef, useState } from 'react';
import { useLeaving } from '../places.tsx';
import { texts } from './texts.ts';

const askToLeave = () => window.confirm(texts.steps.leave);

export function useStopping() {
  const controller = useRef<AbortController>(undefined);
  const [state, setState] = useState<'idle' | 'running' | 'stopping'>('idle');
  const isRunning = state !== 'idle';
  useLeaving(isRunning ? askToLeave : undefined);
  useEffect(() => () => controller.current?.abort(), []);
  return {
    isRunning,
    isStopping: state === 'stopping',
    /** The work must start nothing more once the signal is aborted. */
    async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      controller.current = new AbortController();
      setState('running');
      try {
        return await work(controller.current.signal);
      } finally {
        setState('idle');
      }
    },
    stop() {
      setState('stopping');
      controller.current?.abort();
    },
  };
}
