import { type Element, useRead } from '../api/queries.ts';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { common, formatMoney } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, Link, type Look } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import { texts } from './texts.ts';

type Reservation = Element<'listReservations'>;

const words = texts.reservations;
/** So many products can be read at once. */
const NAMED_MAX = 20;

const LOOKS = {
  active: ['info', 'clock'],
  ordered: ['good', 'check'],
  released: ['neutral', 'undo'],
  expired: ['neutral', 'cross'],
} as const satisfies Record<Reservation['status'], Look>;

const toColumnsWith = (names: ReadonlyMap<string, string>) => [
  ...toColumns('listReservations', {
    status: ({ status }) => <Badge look={LOOKS[status]}>{words.looks[status]}</Badge>,
    productId: ({ item: { productId } }) => (
      <span className="two-lines" title={names.get(productId)}>
        <Link to={paths.product(productId)}>{names.get(productId) ?? productId}</Link>
      </span>
    ),
  }),
  actionsColumn<Reservation>((reservation) => {
    const { id, status } = reservation;
    if (status !== 'active') return [];
    const shared = { params: { reservationId: id } };
    const toAction = (label: string, dialog: Parameters<typeof openDialog>[0]) => ({
      label,
      name: words.actionOn(label, id),
      run: () => openDialog(dialog),
    });
    return [
      toAction(words.order.action, <OrderDialog reservation={reservation} />),
      toAction(
        words.renew.action,
        <Operate operation="renewReservation" {...shared} {...words.renew} values={{ ttlSeconds: 900 }} />,
      ),
      toAction(
        words.release.action,
        <Operate operation="releaseReservation" {...shared} {...words.release} />,
      ),
    ];
  }),
];

export function Reservations() {
  const list = useList('listReservations', { isFiltered: true, everyMs: 5_000 });
  const ids = [...new Set(list.rows?.map(({ item }) => item.productId))].slice(0, NAMED_MAX);
  const { data: products = [] } = useRead(
    'listProductDetails',
    { query: { productIds: ids } },
    { enabled: ids.length > 0 },
  );
  const names = new Map(products.map(({ id, name }) => [id, name]));
  return (
    <Page title={common.navigation.reservations}>
      <List
        list={list}
        isLabelled
        label={common.navigation.reservations}
        columns={toColumnsWith(names)}
        icon="clock"
        none={words.empty}
      />
    </Page>
  );
}

function OrderDialog({ reservation: { id, totalPrice } }: { readonly reservation: Reservation }) {
  const go = useGo();
  const { title, says, submit, done } = words.order;
  const amount = formatMoney(totalPrice);
  return (
    <Operate
      operation="orderReservation"
      params={{ reservationId: id }}
      title={title}
      says={says(amount)}
      submit={submit(amount)}
      onDone={({ data: order }) => {
        go(paths.order(order.id));
        toast(<Link to={paths.order(order.id)}>{done}</Link>);
      }}
    />
  );
}
