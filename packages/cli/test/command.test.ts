import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeConfig, parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { test } from 'vitest';
import { buildProgram } from '../src/program.ts';
import { runKeyport } from './support/keyport.ts';

const CLI = fileURLToPath(new URL('..', import.meta.url));

/** Makes Node report an old version. */
const OLD_NODE = [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})`,
];

test('the help of every command without subcommands has --json and an example', () => {
  const leaves = toLeaves(buildProgram());
  equal(leaves.length > 25, true);
  for (const { path, command } of leaves) {
    const help = toHelp(command);
    match(help, /^ {2}--json /m, path);
    match(help, new RegExp(`^Example:\n {2}(?:KEYPORT_\\w+=\\w+ )?${path}(?: |$)`, 'm'), path);
  }
});

test('--help exits with 0; wrong usage exits with 2 and a hint', async () => {
  equal((await runKeyport(['account', 'create', '--help'])).code, 0);
  const wrong = [
    [],
    ['account'],
    ['nonsense'],
    ['account', 'create', '--name', 'x'],
    ['account', 'show'],
    ['account', 'list', '--nonsense'],
    ['account', 'list', '--url', 'ftp://127.0.0.1'],
    ['import', 'cars', 'x.csv'],
    ['import', 'offers', 'x.txt'],
    ['account', 'update', 'x', '--limits', '{'],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await runKeyport(args);
    deepEqual({ args, code, stdout }, { args, code: 2, stdout: '' });
    match(stderr, /--help|--json|must be JSON/);
  }
});

test('--version prints the version', async () => {
  const { code, stdout } = await runKeyport(['--version']);
  equal(code, 0);
  match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test('config prints every setting with the value in force, and no secret', async () => {
  const settings = { KEYPORT_PORT: '9000', KEYPORT_OPERATOR_SECRET: 'not-to-be-printed-anywhere' };
  const table = await runKeyport(['config'], { settings });
  const json = await runKeyport(['config', '--json'], { settings });
  equal(table.code, 0);
  for (const { variable } of describeConfig(parseConfig({})))
    match(table.stdout, new RegExp(`^${variable} `, 'm'));
  match(table.stdout, /^KEYPORT_PORT +9000 +8080 /m);
  deepEqual(JSON.parse(json.stdout), JSON.parse(JSON.stringify(describeConfig(parseConfig(settings)))));
  doesNotMatch(table.stdout + json.stdout, /not-to-be-printed/);
});

test('a wrong setting makes every command fail with the name of the setting, without a stack trace', async () => {
  for (const command of [['config'], ['serve'], ['migrate'], ['account', 'list']]) {
    const { code, stdout, stderr } = await runKeyport(command, { settings: { KEYPORT_PORT: 'x' } });
    deepEqual({ command, code, stdout }, { command, code: 1, stdout: '' });
    match(stderr, /KEYPORT_PORT must be a whole number/);
    doesNotMatch(stderr, /\n +at /);
  }
});

test('status shows why a node is not ready even if it cannot get a token', async (t) => {
  const node = createServer((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ checks: { catalogue: true, database: false } }));
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  t.onTestFinished(() => void node.close());
  const address = node.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const settings = {
    KEYPORT_URL: url,
    KEYPORT_OPERATOR_ID: 'ops',
    KEYPORT_OPERATOR_SECRET: 'secret-of-16-or-more',
  };
  const { code, stdout, stderr } = await runKeyport(['status'], { settings });
  deepEqual([code, stderr], [1, '']);
  match(stdout, /^notReadyBecauseOf +database$/m);
  const json = JSON.parse((await runKeyport(['status', '--json'], { settings })).stdout);
  deepEqual([json.ready, json.checks.database], [false, false]);
});

test('the command explains what to do without credentials or a service', async () => {
  const settings = { KEYPORT_DATA_DIR: 'memory', KEYPORT_URL: 'http://127.0.0.1:65533' };
  const unknown = await runKeyport(['account', 'list'], { settings });
  const operator = { KEYPORT_OPERATOR_ID: 'operator', KEYPORT_OPERATOR_SECRET: 'secret-of-16-or-more' };
  const unreachable = await runKeyport(['account', 'list'], { settings: { ...settings, ...operator } });
  deepEqual([unknown.code, unreachable.code], [1, 1]);
  match(unknown.stderr, /Set KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET/);
  match(unreachable.stderr, /http:\/\/127\.0\.0\.1:65533 does not respond .*keyport serve.*KEYPORT_URL/);
});

test.each([
  ['https://127.0.0.1:PORT', /the port does not speak TLS\. Use http:\/\/, or correct --url/],
  ['http://keyport.invalid', /the name of its host has no address/],
  ['http://127.0.0.1:6000', /clients of HTTP never connect to this port/],
])(
  'what else can be wrong with an address is explained, without advice to start the service: %s',
  async (url, says) => {
    const server = createServer((_, response) => response.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const settings = {
      KEYPORT_DATA_DIR: 'memory',
      KEYPORT_OPERATOR_ID: 'operator',
      KEYPORT_OPERATOR_SECRET: 'secret-of-16-or-more',
    };
    const { stderr } = await runKeyport(
      ['account', 'list', '--url', ` ${url.replace('PORT', String(port))}/ `],
      { settings },
    );
    server.close();
    match(stderr, says);
    doesNotMatch(stderr, /keyport serve/);
  },
);

test('a command under an old Node runs on the one that npm installed, with its output and exit status', async (t) => {
  if (!existsSync(join(CLI, '../../node_modules/.bin/node'))) {
    return t.skip('npm has no Node for this platform');
  }
  const help = await runKeyport(['config', '--json'], { nodeArgs: OLD_NODE });
  const wrong = await runKeyport(['nonsense'], { nodeArgs: OLD_NODE });
  equal(JSON.parse(help.stdout).length, describeConfig(parseConfig({})).length);
  deepEqual([help.code, wrong.code], [0, 2]);
});

test('the command explains how to get a current Node if there is only an old one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-cli-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(CLI, 'bin'), join(folder, 'packages/cli/bin'), { recursive: true });
  await cp(join(CLI, 'package.json'), join(folder, 'packages/cli/package.json'));
  const shim = join(folder, 'packages/cli/bin/keyport.js');
  const { code, stderr } = await runKeyport(['config'], { nodeArgs: OLD_NODE, shim });
  equal(code, 1);
  match(stderr, /^keyport: this is Node 20\.1\.0, .*npm ci.*\n$/);
});

function toLeaves(command: Command, path = 'keyport'): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((child) => toLeaves(child, `${path} ${child.name()}`));
}

function toHelp(command: Command): string {
  let help = '';
  const writeOut = (part: string) => {
    help += part;
  };
  command.configureOutput({ writeOut });
  command.outputHelp();
  return help;
}
