/** Short messages: successes disappear with their page, and errors that have no other place stay until dismissed. */
import { Button, CloseButton, Paper, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { currentPath, usePlace } from '../places.tsx';
import { common } from '../texts.ts';
import { createStore } from './store.ts';
import { toMessage } from './wording.ts';

/** `path` is the page of a success; undefined for an error. */
type Toast = { readonly id: number; readonly content: ReactNode; readonly path: string | undefined };

const SHOWN_MS = 8000;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** If called after `navigate`, the toast belongs to the new page. */
export function toast(content: ReactNode): void {
  const id = add(content, currentPath());
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function toastError(error: unknown): void {
  add(toMessage(error), undefined);
}

function add(content: ReactNode, path: string | undefined): number {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, content, path }]);
  return lastId;
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

export function Toasts() {
  const { path } = usePlace();
  useEffect(() => toasts.set(toasts.get().filter((one) => (one.path ?? path) === path)), [path]);
  return (
    <Stack
      className="toasts"
      gap={8}
      pos="fixed"
      top={4}
      left="50%"
      w="max-content"
      maw="calc(100vw - 24px)"
      style={{ zIndex: 400, transform: 'translateX(-50%)' }}
      role="status"
    >
      {toasts.use().map(({ id, content, path: of }) => (
        <Paper
          withBorder
          shadow="md"
          px={12}
          py={10}
          display="flex"
          style={{ alignItems: 'center', gap: 12 }}
          key={id}
          role={of === undefined ? 'alert' : undefined}
        >
          <span>{content}</span>
          <CloseButton size="sm" aria-label={common.close} onClick={() => dismiss(id)} />
        </Paper>
      ))}
    </Stack>
  );
}

/** The toast after a write that can be undone. */
export function Undo({ text, undo }: { readonly text: string; readonly undo: () => Promise<void> }) {
  const [state, setState] = useState<'offered' | 'running' | 'done'>('offered');
  const run = () => {
    setState('running');
    undo().then(
      () => setState('done'),
      (error: unknown) => {
        toastError(error);
        setState('offered');
      },
    );
  };
  if (state === 'done') return common.undone;
  return (
    <>
      {text}{' '}
      <Button size="compact-xs" variant="subtle" loading={state === 'running'} onClick={run}>
        {common.undo}
      </Button>
    </>
  );
}
