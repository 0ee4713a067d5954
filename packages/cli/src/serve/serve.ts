import { parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { announceService } from '../service/running-service.ts';
import { formatWelcome } from './welcome.ts';

export function addServeCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'serve',
    summary: 'Run the service',
    example: 'KEYPORT_PORT=9000 keyport serve',
  }).action(({ json }: { readonly json?: true }) => serve(json === true));
}

/** Loading the service takes longer than most commands, which do not need it. */
async function serve(isJson: boolean): Promise<void> {
  const config = parseConfig();
  const { serveInThisProcess } = await import('./process.ts');
  const welcome = await serveInThisProcess(config);
  await announceService(config, welcome.url).catch((error: Error) => {
    console.error(`keyport: other commands need --url or KEYPORT_URL to find the service: ${error.message}`);
  });
  console.log(isJson ? JSON.stringify(welcome) : formatWelcome(welcome));
}
