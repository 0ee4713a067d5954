/** `keyport seller`: who offers come from. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addSellerCommand(program: Command): void {
  const seller = addGroupCommand(program, 'seller', 'Sellers');
  addOperationCommand(seller, {
    name: 'put',
    operation: 'putSeller',
    makesId: true,
    example: `keyport seller put --name 'Key Cellar'`,
  });
  addOperationCommand(seller, {
    name: 'list',
    operation: 'listSellers',
    columns: ['id', 'name'],
    example: 'keyport seller list --all',
  });
  addOperationCommand(seller, {
    name: 'show',
    operation: 'getSeller',
    example: 'keyport seller show 7f1d0c52-2f0e-4a53-8f43-0e1f6f9b0a01',
  });
}
