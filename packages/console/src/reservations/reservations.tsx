import type { OperatorElement } from '@keyport/sdk/admin';
import type { Account } from '../accounts/account-data.tsx';
import { admin } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { useDialog } from '../forms/closing.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { plural } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { Link, Money, ShortId, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';

type Reservation = OperatorElement<'listAllReservations'>;

const COLUMNS: readonly Column<Reservation>[] = [
  { title: 'Reservation id', render: ({ id }) => <ShortId id={id} what="Reservation id" /> },
  {
    title: 'Product',
    render: ({ item: { productId } }) => (
      <Link to={paths.product(productId)}>
        <code>{productId}</code>
      </Link>
    ),
  },
  { title: 'Units', render: ({ item }) => item.quantity, look: 'right' },
  { title: 'Total', render: ({ totalPrice }) => <Money amount={totalPrice} />, look: 'right' },
  { title: 'Created', render: ({ createdAt }) => <Time at={createdAt} />, look: 'minor' },
  { title: 'Expires', render: ({ expiresAt }) => <Time at={expiresAt} />, look: 'right' },
];

export function Reservations({ account }: { readonly account: Account }) {
  const may = useMay('orders');
  const { dialog, open } = useDialog();
  const list = useList('listAllReservations', {
    query: { accountId: account.id, status: 'active' },
    everyMs: 5_000,
  });
  const actions = actionsColumn<Reservation>((reservation) => [
    {
      label: 'Release',
      name: `Release reservation ${reservation.id}`,
      run: () => open(<ReleaseDialog reservation={reservation} />),
    },
  ]);
  return (
    <>
      <List
        list={list}
        isLabelled
        label="Active reservations"
        columns={may ? [...COLUMNS, actions] : COLUMNS}
        rowKey={({ id }) => id}
        icon="check"
        none="No active reservations."
      />
      {dialog}
    </>
  );
}

function ReleaseDialog({ reservation: { id, item } }: { readonly reservation: Reservation }) {
  return (
    <ActionDialog
      title={`Release reservation ${id}`}
      form={`release:${id}`}
      hasReason
      showPreview={() => `${plural(item.quantity, 'unit goes', 'units go')} back to stock.`}
      isDangerous
      submit="Release"
      run={({ reason }, options) =>
        admin.releaseAnyReservation({ params: { reservationId: id }, body: { reason } }, options)
      }
      onDone={() => toast('Reservation released')}
    />
  );
}
