/** `keyport order`: orders of every account, and what an operator may do to them. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addOrderCommand(program: Command): void {
  const order = addGroupCommand(program, 'order', 'Orders of all accounts');
  addOperationCommand(order, {
    name: 'list',
    operation: 'listAllOrders',
    columns: ['id', 'status', 'createdAt', 'totalPrice', 'currency', 'accountId'],
    example: 'keyport order list --status held --items-per-page 20',
  });
  addOperationCommand(order, {
    name: 'show',
    operation: 'getAnyOrder',
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
    example: `keyport order refund 2174556001234567 --reason 'Bad key' --items '[{"id":"ITEM_ID","quantity":1}]'`,
  });
}
