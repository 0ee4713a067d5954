/** `keyport catalogue`: what concerns all of the catalogue at once. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addCatalogueCommand(program: Command): void {
  const catalogue = addGroupCommand(program, 'catalogue', 'The catalogue as a whole');
  addOperationCommand(catalogue, {
    name: 'restart-feeds',
    operation: 'restartFeeds',
    example: `keyport catalogue restart-feeds --reason 'Restored the backup of 03:00'`,
    describeStatus: {
      204: 'Every reader of the change feed starts from the beginning with his next request.',
    },
  });
  addOperationCommand(catalogue, {
    name: 'restore-removed',
    operation: 'restoreImport',
    example: `keyport catalogue restore-removed 17 --reason 'The feed was truncated'`,
  });
}
