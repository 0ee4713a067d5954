import { KEY_KINDS } from '@keyport/contract/catalogue/stock-keys';
import { OPERATIONS } from '@keyport/contract/operations';
import { formatTree } from '@keyport/sdk-source/commands/output';
import { type Command, Option } from 'commander';
import { addGroupCommand, addKeyOption, addLeafCommand } from '../command-shape.ts';
import { CommandFailure } from '../failure.ts';
import { readTextFile } from '../files.ts';
import { addOperationCommand } from '../operations/operation-command.ts';
import { parseMembers } from '../operations/schema-options.ts';
import { printResult } from '../output.ts';
import { addUrlOption, connect } from '../service/connection.ts';

export function addKeysCommand(program: Command): void {
  const keys = addGroupCommand(program, 'keys', 'Keys of an offer');
  const add = addLeafCommand(keys, {
    name: 'add',
    summary: 'Add keys to an offer, one code per line',
    example: 'keyport keys add 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 codes.txt',
  });
  addKeyOption(addUrlOption(add))
    .argument('<offerId>')
    .argument('[file]', 'a file, or - for standard input', '-')
    .addOption(new Option('--kind <kind>', 'the kind of the codes').choices(KEY_KINDS).default('text'))
    .action(async (offerId: string, file: string, options: AddOptions) => {
      const codes = await readCodes(file);
      const client = await connect(options.url);
      const { body } = await client.call('addKeys', {
        params: { offerId },
        body: { keys: codes.map((code) => ({ code, kind: options.kind })) },
        idempotencyKey: options.idempotencyKey,
      });
      printResult(options.json, body, [formatTree(body.data)]);
    });
  addWithdrawCommand(keys);
  addFindCommand(keys);
  addOperationCommand(keys, {
    name: 'list',
    operation: 'listOfferKeys',
    example: '--state sold',
  });
}

type Options = { json?: true; url?: string; idempotencyKey?: string };
type AddOptions = Options & { kind: string };
type WithdrawOptions = Options & { reason: string; quantity?: string; kind?: string; codes?: string };

function addWithdrawCommand(keys: Command): void {
  const withdraw = addLeafCommand(keys, {
    name: 'withdraw',
    summary: OPERATIONS.withdrawKeys.summary,
    example: `keyport keys withdraw 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 --codes leaked.txt --reason Leak`,
  });
  addKeyOption(addUrlOption(withdraw))
    .argument('<offerId>')
    .requiredOption('--reason <text>', 'the reason, for the audit log (required)')
    .addOption(
      new Option('--quantity <number>', 'this many unsold keys, the latest first').conflicts('codes'),
    )
    .addOption(new Option('--kind <kind>', 'with --quantity: only keys of this kind').choices(KEY_KINDS))
    .addOption(new Option('--codes <file>', 'the keys with these codes, one per line; - for standard input'))
    .action(async (offerId: string, options: WithdrawOptions) => {
      const { json, url, idempotencyKey, codes, ...members } = options;
      const body = {
        ...parseMembers(OPERATIONS.withdrawKeys.body, members),
        ...(codes === undefined ? {} : { codes: await readCodes(codes) }),
      };
      const client = await connect(url);
      const response = await client.call('withdrawKeys', { params: { offerId }, body, idempotencyKey });
      printResult(json, response.body, [formatTree(response.body.data)]);
    });
}

function addFindCommand(keys: Command): void {
  const find = addLeafCommand(keys, {
    name: 'find',
    summary: OPERATIONS.findKey.summary,
    example: 'keyport keys find code.txt',
  });
  addUrlOption(find)
    .argument('[file]', 'a file with the code, or - for standard input', '-')
    .action(async (file: string, { json, url }: Options) => {
      const [code, ...others] = await readCodes(file);
      if (code === undefined || others.length > 0)
        throw new CommandFailure(`${file} must have exactly one code`);
      const { body } = await (await connect(url)).call('findKey', { body: { code } });
      printResult(json, body, [formatTree(body.data)]);
    });
}

/** Arguments would show codes in the process list and the shell's history. */
async function readCodes(file: string): Promise<string[]> {
  const lines = (await readTextFile(file)).split(/\r\n?|\n/);
  return lines.filter((line) => line.trim() !== '');
}
