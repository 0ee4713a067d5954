/** `keyport client`: the OAuth clients of an account. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addClientCommand(program: Command): void {
  const client = addGroupCommand(program, 'client', 'OAuth clients of an account');
  addOperationCommand(client, {
    name: 'list',
    operation: 'listClients',
    columns: ['clientId', 'name', 'liveSecrets', 'allowedAddresses', 'disabledAt', 'createdAt'],
    example: 'keyport client list 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
  });
  addOperationCommand(client, {
    name: 'create',
    operation: 'createClient',
    example: `keyport client create 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 --name 'Shop server'`,
    describeStatus: { 201: 'The secret is shown this once:' },
  });
  addOperationCommand(client, {
    name: 'update',
    operation: 'updateClient',
    example: `keyport client update CLIENT_ID --allowed-addresses '["192.0.2.0/24"]'`,
  });
  addOperationCommand(client, {
    name: 'secret',
    operation: 'createClientSecret',
    example: 'keyport client secret CLIENT_ID',
    describeStatus: { 201: 'The secret is shown this once:' },
  });
  addOperationCommand(client, {
    name: 'disable',
    operation: 'disableClient',
    example: 'keyport client disable CLIENT_ID',
    describeStatus: { 204: 'The client is disabled.' },
  });
  addOperationCommand(client, {
    name: 'enable',
    operation: 'enableClient',
    example: 'keyport client enable CLIENT_ID',
    describeStatus: { 200: 'The client is enabled, with the secrets that it had:' },
  });
}
