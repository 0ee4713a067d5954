import { ActionIcon, Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icons.tsx';
import type { Column } from './data-table.tsx';
import { texts } from './texts.ts';

type Action = {
  readonly label: string;
  /** Names the row, for screen readers. */
  readonly name: string;
  readonly run: () => void;
};

/** `isBeside`: on narrow screens, in the row of the value before it. */
export function actionsColumn<Row>(
  toActions: (row: Row) => readonly Action[],
  { isBeside = false }: { readonly isBeside?: boolean } = {},
): Column<Row> {
  return {
    title: texts.table.actions,
    look: isBeside ? 'right actions beside' : 'right actions',
    render: (row) => {
      const actions = toActions(row);
      const [first, ...others] = actions;
      if (first === undefined || others.length < 2) return actions.map(asButton);
      return (
        <>
          {asButton(first)}
          <More label={texts.table.moreActions(first.name)} actions={others} />
        </>
      );
    },
  };
}

/** Actions that are rarely needed, in a menu. */
export function menuColumn<Row>(
  toLabel: (row: Row) => string,
  toActions: (row: Row) => readonly Action[],
): Column<Row> {
  return {
    title: texts.table.actions,
    look: 'right',
    render: (row) => (
      <ActionsMenu actions={toActions(row)}>
        <ActionIcon aria-label={toLabel(row)}>
          <Icon name="more" />
        </ActionIcon>
      </ActionsMenu>
    ),
  };
}

function asButton({ label, name, run }: Action) {
  return (
    <Button key={label} size="compact-xs" variant="subtle" aria-label={name} onClick={run}>
      {label}…
    </Button>
  );
}

function More({ label, actions }: { readonly label: string; readonly actions: readonly Action[] }) {
  return (
    <ActionsMenu actions={actions}>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={label}
        rightSection={<Icon name="down" size={12} />}
      >
        {texts.table.more}
      </Button>
    </ActionsMenu>
  );
}

function ActionsMenu({
  actions,
  children,
}: {
  readonly actions: readonly Action[];
  readonly children: ReactNode;
}) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action.label} aria-label={action.name} onClick={action.run}>
            {action.label}…
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
