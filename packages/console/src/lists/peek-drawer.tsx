import { Drawer } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { common } from '../texts.ts';
import { Link } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

export type PeekProps = {
  readonly title: (id: string) => ReactNode;
  /** Absent if the object has no page. */
  readonly path?: (id: string) => string;
  readonly children: (id: string) => ReactNode;
};

export function PeekDrawer(props: PeekProps) {
  const { search, look } = useUrl();
  const id = search['peek'];
  return (
    <Drawer.Root
      opened={id !== undefined}
      // Escape in a dialog above closes only that dialog.
      onClose={() => (hasDialogAbove() ? undefined : look({ peek: undefined }))}
      position="right"
      size={480}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={0.2} />
      <Drawer.Content>
        <Drawer.Header role="presentation">
          <Drawer.Title>{id === undefined ? '' : props.title(id)}</Drawer.Title>
          {id === undefined || props.path === undefined ? null : (
            <Link to={props.path(id)}>{texts.openPage}</Link>
          )}
          <Drawer.CloseButton aria-label={common.close} />
        </Drawer.Header>
        <Drawer.Body>
          <Suspense>{id === undefined ? null : props.children(id)}</Suspense>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function hasDialogAbove(): boolean {
  return document.querySelectorAll('[role="dialog"]').length > 1;
}
