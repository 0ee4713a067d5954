import { Button, Menu } from '@mantine/core';
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

function asButton({ label, name, run }: Action) {
  return (
    <Button key={label} size="compact-xs" variant="subtle" aria-label={name} onClick={run}>
      {label}…
    </Button>
  );
}

function More({ label, actions }: { readonly label: string; readonly actions: readonly Action[] }) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={label}
          rightSection={<Icon name="down" size={12} />}
        >
          {texts.table.more}
        </Button>
      </Menu.Target>
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
