/** Short messages about completed actions, announced politely. Errors are shown where they occurred. */
import { Button, CloseButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { common } from '../texts.ts';
import { createStore } from './store.ts';

type Toast = { readonly id: number; readonly content: ReactNode };

const SHOWN_MS = 8000;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

export function toast(content: ReactNode): void {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get(), { id, content }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

export function Toasts() {
  return (
    <div className="toasts" role="status">
      {toasts.use().map(({ id, content }) => (
        <div className="toast" key={id}>
          <span>{content}</span>
          <CloseButton size="sm" aria-label={common.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

/** For the few writes that can be undone. */
export function Undo({ text, undo }: { readonly text: string; readonly undo: () => Promise<void> }) {
  const [state, setState] = useState<'offered' | 'running' | 'done' | 'failed'>('offered');
  const run = () => {
    setState('running');
    undo().then(
      () => setState('done'),
      () => setState('failed'),
    );
  };
  if (state === 'done') return common.undone;
  return (
    <>
      {state === 'failed' ? common.undoFailed : text}{' '}
      <Button size="compact-xs" variant="subtle" loading={state === 'running'} onClick={run}>
        {common.undo}
      </Button>
    </>
  );
}
