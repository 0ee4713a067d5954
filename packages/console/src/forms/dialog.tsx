/** A dialog with a title. A sticky dialog is closed only by its own buttons. */
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
  /** A write was sent, and its response is awaited: nothing closes the dialog. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}) {
  const { title, size = 'md', isSticky = false, isBusy = false, children } = props;
  return (
    <Modal.Root
      onClose={useClose()}
      size={size}
      opened
      centered
      closeOnClickOutside={!isSticky && !isBusy}
      closeOnEscape={!isSticky && !isBusy}
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          {isSticky ? null : <Modal.CloseButton aria-label={common.close} disabled={isBusy} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
