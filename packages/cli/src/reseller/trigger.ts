import { formatJson, formatTree } from '@keyport/sdk-source/commands/output';
import {
  isTriggeredType,
  TRIGGERED_TYPES,
  type TriggeredType,
  trigger,
  typeRule,
} from '@keyport/sdk-source/commands/trigger';
import { type Command, InvalidArgumentError } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import {
  addClientOptions,
  addUrlOption,
  type ClientOptions,
  connectReseller,
} from '../service/connection.ts';

type Options = ClientOptions & { readonly json?: true; readonly url?: string };

export function addTriggerCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'trigger',
    summary: 'Cause an event of this type in the sandbox, and print it',
    example: 'keyport trigger order.complete',
  });
  addClientOptions(addUrlOption(command))
    .argument('<type>', `one of ${TRIGGERED_TYPES.join(', ')}`, parseType)
    .action(async (type: TriggeredType, { json, url, ...credentials }: Options) => {
      const event = await trigger(await connectReseller(url, credentials), type);
      console.log(json ? formatJson(event) : formatTree(event));
    });
}

function parseType(text: string): TriggeredType {
  if (isTriggeredType(text)) return text;
  throw new InvalidArgumentError(typeRule(text));
}
