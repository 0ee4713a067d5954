/** `keyport checkup`: what the sandbox saw of a client, judged. */
import type { Check, Checkup } from '@keyport/contract/sandbox';
import { must } from '@keyport/core/assert';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { addClientOptions, addUrlOption, type ClientOptions, connectReseller } from '../connection.ts';
import { formatJson, printable } from '../output.ts';

type Options = ClientOptions & { readonly json?: true; readonly url?: string; readonly since?: string };

const MARKS: Readonly<Record<Check['status'], string>> = { passed: '✓', failed: '✗', 'not-seen': '·' };

export function addCheckupCommand(program: Command): void {
  const checkup = addLeafCommand(program, {
    name: 'checkup',
    summary: 'Judge what the sandbox saw of a client; exit with 1 if a check failed',
    example: 'keyport checkup --client-id CLIENT_ID --client-secret CLIENT_SECRET',
  });
  addClientOptions(addUrlOption(checkup))
    .option('--since <date-time>', 'only what was seen since then')
    .action(async ({ json, url, since, ...client }: Options) => {
      const api = await connectReseller(url, client);
      const { body } = await api.call('getCheckup', { query: since === undefined ? {} : { since } });
      const data = must(body.data, 'a check-up has data');
      if (data.checks.some(({ status }) => status === 'failed')) process.exitCode = 1;
      console.log(json ? formatJson(data) : formatForPeople(data));
    });
}

function formatForPeople({ checks, score, seen, requests }: Checkup): string {
  const lines = checks.flatMap(({ status, title, howTo, evidence = [], doc }) => [
    `${MARKS[status]} ${title}`,
    ...evidence.map(({ at, request, key, note }) => {
      const which = key === undefined ? request : `${request}, key ${key}`;
      return printable(`    ${at}  ${which}: ${note}`);
    }),
    ...(status === 'passed' ? [] : [`    ${howTo.replaceAll('`', '')}`]),
    ...(status === 'failed' ? [`    ${doc}`] : []),
  ]);
  const share = `${seen} of ${checks.length} checks seen; ${score} % of these passed, in ${requests} requests.`;
  return `${lines.join('\n')}\n\n${share} · not seen yet`;
}
