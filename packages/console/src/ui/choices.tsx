import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OpenedMenu } from './opener.tsx';
import '../mantine-more.css';

/** A panel below its button. */
export function Choices(
  props: OpenedMenu & {
    readonly label: string;
    readonly position: 'bottom-start' | 'bottom-end';
    readonly choices: ReactNode;
  },
) {
  return (
    <Popover
      opened={props.isOpen}
      onChange={(isOpen) => (isOpen ? undefined : props.onClose())}
      position={props.position}
      trapFocus
      transitionProps={{ duration: 0 }}
      withinPortal={false}
    >
      <Popover.Target>{props.children}</Popover.Target>
      <Popover.Dropdown className="choices" miw={220} aria-label={props.label}>
        {props.choices}
      </Popover.Dropdown>
    </Popover>
  );
}
