import type { AdminOrder, AdminOrderWithLog } from '@keyport/contract/orders/operator-orders';
import { formatTree } from '@keyport/sdk-source/commands/output';
import type { Static } from 'typebox';
import { formatTable } from '../output.ts';
import type { ApiClient } from '../service/api-client.ts';

type ShownOrder = Static<typeof AdminOrder> & Partial<Static<typeof AdminOrderWithLog>>;
type Refund = Static<typeof AdminOrderWithLog>['refunds'][number];

export async function formatOrder(data: unknown, client: ApiClient): Promise<string> {
  const { transactions = [], statusLog, refunds = [], ...order } = data as ShownOrder;
  const { body } = await client.call('getAccount', { params: { accountId: order.accountId } });
  const items = transactions.flatMap((transaction) =>
    transaction.items.map((item) => ({ ...item, seller: transaction.seller.name ?? transaction.seller.id })),
  );
  const parts = [
    formatTree({ ...order, accountName: body.data?.name, balance: body.data?.balance }),
    formatTable(
      [
        { title: 'Item', text: ({ id }) => id },
        { title: 'Product', text: ({ product }) => product.name },
        { title: 'Seller', text: ({ seller }) => seller },
        { title: 'Price', text: ({ price }) => price },
        { title: 'Ordered', text: ({ quantity }) => String(quantity.ordered) },
        { title: 'Paid', text: ({ quantity }) => String(quantity.invoiced) },
        { title: 'Delivered', text: ({ quantity }) => String(quantity.shipped) },
        { title: 'Refunded', text: ({ quantity }) => String(quantity.refunded) },
        { title: 'Total', text: ({ totalPrice }) => totalPrice },
      ],
      items,
    ),
  ];
  if (refunds.length > 0) {
    const columns = [
      { title: 'Refunded at', text: ({ at }: Refund) => at },
      { title: 'Amount', text: ({ amount }: Refund) => amount },
    ];
    parts.push(formatTable(columns, refunds));
  }
  if (statusLog !== undefined) {
    const log = formatTable(
      [
        { title: 'At', text: ({ at }) => at },
        { title: 'From', text: ({ from }) => from ?? '-' },
        { title: 'To', text: ({ to }) => to },
        { title: 'By', text: ({ actor, actorName }) => actorName ?? actor },
        { title: 'Reason', text: ({ reason }) => reason },
      ],
      statusLog,
    );
    parts.push(log);
  }
  return parts.join('\n\n');
}
