import type { OperatorElement } from '@keyport/sdk-source/admin';
import type { Account } from '../accounts/account-data.tsx';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

type Reservation = OperatorElement<'listAllReservations'>;

const COLUMNS = toColumns('listAllReservations', {
  productId: ({ item: { productId } }) => (
    <Link to={paths.product(productId)}>
      <code>{productId}</code>
    </Link>
  ),
});

export function Reservations({ account }: { readonly account: Account }) {
  const may = useMay('orders');
  const list = useList('listAllReservations', {
    query: { accountId: account.id, status: 'active' },
    everyMs: 5_000,
  });
  const actions = actionsColumn<Reservation>((reservation) => [
    {
      label: texts.release,
      name: texts.releaseTitle(reservation.id),
      run: () => openDialog(<ReleaseDialog reservation={reservation} />),
    },
  ]);
  return (
    <List
      list={list}
      isLabelled
      label={texts.title}
      columns={may ? [...COLUMNS, actions] : COLUMNS}
      rowKey={({ id }) => id}
      icon="check"
      none={texts.empty}
    />
  );
}

function ReleaseDialog({ reservation: { id, item } }: { readonly reservation: Reservation }) {
  return (
    <Operate
      operation="releaseAnyReservation"
      params={{ reservationId: id }}
      title={texts.releaseTitle(id)}
      says={texts.says(item.quantity)}
      isDangerous
      submit={texts.release}
      done={texts.done}
    />
  );
}
