import type { AdminOrder, AdminOrderWithLog } from '@keyport/contract/orders/operator-orders';
import { formatTree } from '@keyport/sdk-source/commands/output';
import type { Static } from 'typebox';
import { formatTable } from '../output.ts';
import type { ApiClient } from '../service/api-client.ts';

type ShownOrder = Static<typeof AdminOrder> & Partial<Static<typeof AdminOrderWithLog>>;

export async function formatOrder(data: unknown, client: ApiClient): Promise<string> {
  const { transactions = [], statusLog, refunds = [], ...order } = data as ShownOrder;
  const { body } = await client.call('getAccount', { params: { accountId: order.accountId } });
  const items = transactions.flatMap((transaction) =>
    transaction.items.map((item) => ({ ...item, seller: transaction.seller.name ?? transaction.seller.id })),
  );
  const parts = [
    formatTree({ ...order, accountName: body.data?.name, balance: body.data?.balance }),
    formatTable(items, {
      Item: ({ id }) => id,
      Product: ({ product }) => product.name,
      Seller: ({ seller }) => seller,
      Price: ({ price }) => price,
      Ordered: ({ quantity }) => String(quantity.ordered),
      Paid: ({ quantity }) => String(quantity.invoiced),
      Delivered: ({ quantity }) => String(quantity.shipped),
      Refunded: ({ quantity }) => String(quantity.refunded),
      Total: ({ totalPrice }) => totalPrice,
    }),
  ];
  if (refunds.length > 0) {
    parts.push(formatTable(refunds, { 'Refunded at': ({ at }) => at, Amount: ({ amount }) => amount }));
  }
  if (statusLog !== undefined) {
    const log = formatTable(statusLog, {
      At: ({ at }) => at,
      From: ({ from }) => from ?? '-',
      To: ({ to }) => to,
      By: ({ actor, actorName }) => actorName ?? actor,
      Reason: ({ reason }) => reason,
    });
    parts.push(log);
  }
  return parts.join('\n\n');
}
