import { checkup, formatCheckup, hasFailed } from '@keyport/sdk-source/commands/checkup';
import { formatJson } from '@keyport/sdk-source/commands/output';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import {
  addClientOptions,
  addUrlOption,
  type ClientOptions,
  connectReseller,
} from '../service/connection.ts';

type Options = ClientOptions & { readonly json?: true; readonly url?: string; readonly since?: string };

export function addCheckupCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'checkup',
    summary: 'Check how a client used the sandbox; exit with 1 if a check failed',
    example: 'keyport checkup --client-id CLIENT_ID --client-secret CLIENT_SECRET',
  });
  addClientOptions(addUrlOption(command))
    .option('--since <date-time>', 'only requests since then')
    .action(async ({ json, url, since, ...client }: Options) => {
      const judged = await checkup(await connectReseller(url, client), since);
      if (hasFailed(judged)) process.exitCode = 1;
      console.log(json ? formatJson(judged) : formatCheckup(judged));
    });
}
