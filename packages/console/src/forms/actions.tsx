/** Buttons of a page, each of which opens a dialog. The palette and letter keys open the same dialogs. */
import type { MemberPermission, Permission } from '@keyport/contract/roles';
import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useMay } from '../api/session.ts';
import { runCommand, useCommands } from '../ui/commands.ts';
import type { IconName } from '../ui/icons.tsx';
import { useKeys } from '../ui/keys.ts';
import { Closing } from './closing.tsx';

export type Action = {
  readonly label: string;
  /** Its name in the palette; absent if the palette leaves it out. */
  readonly command?: string;
  readonly letter?: string | undefined;
  readonly isPrimary?: boolean;
  readonly dialog: ReactNode;
};

export function Actions({ actions, icon }: { readonly actions: readonly Action[]; readonly icon: IconName }) {
  const [open, setOpen] = useState<string>();
  useKeys(
    Object.fromEntries(
      actions.flatMap(({ letter, label }) => (letter === undefined ? [] : [[letter, () => setOpen(label)]])),
    ),
  );
  useCommands(() =>
    actions.flatMap(({ command, label }) =>
      command === undefined ? [] : [{ label: command, icon, run: () => setOpen(label) }],
    ),
  );
  return (
    <>
      {actions.map(({ label, isPrimary = false }) => (
        <Button key={label} variant={isPrimary ? 'filled' : 'default'} onClick={() => setOpen(label)}>
          {label}…
        </Button>
      ))}
      <Closing value={() => setOpen(undefined)}>
        <Suspense>{actions.find(({ label }) => label === open)?.dialog}</Suspense>
      </Closing>
    </>
  );
}

/** The button of an action that the palette offers on every page. */
export function ActionButton(props: {
  readonly label: string;
  readonly permission: Permission | MemberPermission;
}) {
  const { label, permission } = props;
  return useMay(permission) ? (
    <Button variant="filled" onClick={() => runCommand(label)}>
      {label}…
    </Button>
  ) : null;
}
