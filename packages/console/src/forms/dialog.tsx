/** A dialog with a title. A click outside a sticky dialog does not close it, to keep its content. */
import { Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../texts.ts';
import { useClose } from './closing.tsx';
import '../mantine-more.css';

/** The effect and the buttons stay in sight while a long form scrolls. */
export function DialogEnd({ children }: { readonly children: ReactNode }) {
  return <Stack className="dialog-end">{children}</Stack>;
}

export function Dialog(props: {
  readonly title: string;
  readonly size?: 'md' | 'lg';
  readonly isSticky?: boolean;
  readonly children: ReactNode;
}) {
  const { title, size = 'md', isSticky = false, children } = props;
  return (
    <Modal.Root
      onClose={useClose()}
      size={size}
      opened
      centered
      closeOnClickOutside={!isSticky}
      closeOnEscape={!isSticky}
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          {isSticky ? null : <Modal.CloseButton aria-label={common.close} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
