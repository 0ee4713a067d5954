/**
 * The assignee of a held order, a claim or an approval: the control on its page, and the column of its list.
 */
import { Button, NativeSelect } from '@mantine/core';
import { admin, queryClient } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter } from '../lists/filters.tsx';
import { useCommands } from '../ui/commands.ts';
import { useKeys } from '../ui/keys.ts';
import { Person, useOperatorNames } from '../ui/person.tsx';
import { toast, toastError } from '../ui/toasts.tsx';
import { texts } from './texts.ts';

type Assigned = { readonly id: string; readonly assignee: string | null };
type Kind = 'order' | 'claim' | 'approval';

export const ASSIGNEE_FILTER = 'assignee';

export function AssigneeFilter() {
  return (
    <ChoiceFilter name={ASSIGNEE_FILTER} label={texts.assignee.label} choices={texts.assignee.choices} />
  );
}

/** Undefined if the operator may not assign. */
function useAssign(kind: Kind) {
  const may = useMay('notes');
  const { operator } = useSession();
  if (!may) return undefined;
  const assign = ({ id }: { readonly id: string }, assignee: string | null = operator.id) =>
    admin.assign({ params: { subject: `${kind}:${id}` }, body: { assignee } }).then(() => {
      toast(assignee === operator.id ? texts.assignee.isYours : texts.assignee.changed);
      return queryClient.invalidateQueries();
    }, toastError);
  return assign;
}

export function Assignee({ kind, of }: { readonly kind: Kind; readonly of: Assigned }) {
  const assign = useAssign(kind);
  const { operator } = useSession();
  const { data } = useOperatorNames();
  const { assignee } = of;
  const take = assign === undefined || assignee === operator.id ? undefined : () => void assign(of);
  useKeys({ m: take });
  useCommands(() => (take === undefined ? [] : [{ label: texts.assignee.take, icon: 'person', run: take }]));
  if (assign === undefined)
    return assignee === null ? null : (
      <span>
        {texts.assignee.label}: <Person id={assignee} />
      </span>
    );
  const people = (data?.data ?? []).filter(({ id, status }) => status === 'active' || id === assignee);
  return (
    <NativeSelect
      size="xs"
      aria-label={texts.assignee.label}
      value={assignee ?? ''}
      data={[
        { value: '', label: texts.assignee.none },
        ...people.map(({ id, name }) => ({
          value: id,
          label: id === operator.id ? texts.assignee.you(name) : name,
        })),
      ]}
      onChange={({ currentTarget }) => void assign(of, currentTarget.value || null)}
    />
  );
}

/** The column, and the key that assigns the focused row to the operator. */
export function useAssigneeColumn<Row extends Assigned>(kind: Kind, waits: (row: Row) => boolean) {
  const assign = useAssign(kind);
  const column: Column<Row> = {
    title: texts.assignee.label,
    render: (row) =>
      row.assignee !== null ? (
        <Person id={row.assignee} />
      ) : assign === undefined || !waits(row) ? (
        '–'
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={texts.assignee.takeRow(row.id.slice(0, 12))}
          onClick={() => void assign(row)}
        >
          {texts.assignee.takeShort}
        </Button>
      ),
  };
  const keys = assign && { m: (row: Row) => void (waits(row) && assign(row)) };
  return { column, keys };
}
