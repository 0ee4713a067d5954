import { Button } from '@mantine/core';
import type { Column } from './data-table.tsx';
import { texts } from './texts.ts';

type Action = {
  readonly label: string;
  /** Names the row, for screen readers. */
  readonly name: string;
  readonly run: () => void;
};

export function actionsColumn<Row>(actionsOf: (row: Row) => readonly Action[]): Column<Row> {
  return {
    title: texts.table.actions,
    look: 'right',
    render: (row) =>
      actionsOf(row).map(({ label, name, run }) => (
        <Button key={label} size="compact-xs" variant="subtle" aria-label={name} onClick={run}>
          {label}…
        </Button>
      )),
  };
}
