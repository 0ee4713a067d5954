/** `keyport order`: orders of every account, and what an operator may do to them. */
import type { AdminOrder, AdminOrderWithLog } from '@keyport/contract/admin';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { ApiClient } from '../api-client.ts';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';
import { formatTable, formatTree } from '../output.ts';

export function addOrderCommand(program: Command): void {
  const order = addGroupCommand(program, 'order', 'Orders of all accounts');
  addOperationCommand(order, {
    name: 'list',
    operation: 'listAllOrders',
    columns: [
      'id',
      'status',
      'createdAt',
      'totalPrice',
      'currency',
      'accountName',
      { title: 'product', path: 'transactions.0.items.0.product.name' },
      'holdReason',
    ],
    example: 'keyport order list --status held --items-per-page 20',
  });
  addOperationCommand(order, {
    name: 'show',
    operation: 'getAnyOrder',
    format: formatOrder,
    example: 'keyport order show 2174556001234567',
  });
  addOperationCommand(order, {
    name: 'hold',
    operation: 'holdOrder',
    example: `keyport order hold 2174556001234567 --reason 'Looks like a stolen account'`,
  });
  addOperationCommand(order, {
    name: 'release',
    operation: 'releaseOrder',
    example: `keyport order release 2174556001234567 --reason 'Reviewed, all well'`,
  });
  addOperationCommand(order, {
    name: 'cancel',
    operation: 'cancelOrder',
    example: `keyport order cancel 2174556001234567 --reason 'Asked for by the reseller'`,
  });
  addOperationCommand(order, {
    name: 'refund',
    operation: 'refundOrder',
    format: formatOrder,
    example: `keyport order refund 2174556001234567 --reason 'Bad key' --items '[{"id":"ITEM_ID","quantity":1}]'`,
  });
}

type ShownOrder = Static<typeof AdminOrder> & Partial<Static<typeof AdminOrderWithLog>>;

/** The amounts, what is left on the account's balance, and what happened when. */
async function formatOrder(data: unknown, client: ApiClient): Promise<string> {
  const { transactions = [], statusLog, ...order } = data as ShownOrder;
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
  if (statusLog !== undefined) {
    const log = formatTable(
      [
        { title: 'At', text: ({ at }) => at },
        { title: 'From', text: ({ from }) => from ?? '-' },
        { title: 'To', text: ({ to }) => to },
        { title: 'By', text: ({ actor }) => actor },
        { title: 'Reason', text: ({ reason }) => reason },
      ],
      statusLog,
    );
    parts.push(log);
  }
  return parts.join('\n\n');
}
