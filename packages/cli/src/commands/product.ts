/** `keyport product`: one product of the catalogue. `keyport import products` takes many. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addProductCommand(program: Command): void {
  const product = addGroupCommand(program, 'product', 'Products of the catalogue');
  addOperationCommand(product, {
    name: 'put',
    operation: 'putProduct',
    example: `keyport product put 10000000000017 --name 'Star Harbour' --checkout-class standard`,
  });
  addOperationCommand(product, {
    name: 'list',
    operation: 'listCatalogueProducts',
    columns: ['id', 'name', 'checkoutClass', 'platform', 'region'],
    example: 'keyport product list --limit 20',
  });
  addOperationCommand(product, {
    name: 'show',
    operation: 'getCatalogueProduct',
    example: 'keyport product show 10000000000017',
  });
}
