import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '@keyport/core/assert';
import { openDatabase } from '@keyport/server/db/engines/database';
import { test } from 'vitest';
import { onEnd, processDatabase } from '../../server/test/support/database.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import type { Run } from './support/command-process.ts';
import { runCommands, runKeyport, startServing } from './support/keyport.ts';

const SELLER_ID = '11111111-1111-4111-8111-111111111111';
const OFFER_ID = '22222222-2222-4222-8222-222222222222';
const PRODUCT_ID = '50000000000017';

const folder = await mkdtemp(join(tmpdir(), 'keyport-cli-'));
onEnd(wholeFile, () => rm(folder, { recursive: true }));
const database = await processDatabase(wholeFile, folder);
const { KEYPORT_DATABASE_URL: databaseUrl } = database;
const service = await startServing({ ...database, KEYPORT_PORT: '0' });
onEnd(wholeFile, async () => void (await service.stop('SIGKILL')));
/** The settings in another terminal of the same checkout. */
const settings = { ...database, KEYPORT_PORT: new URL(service.welcome.url).port };

const run = runCommands(wholeFile);
const keyport = (...args: string[]) => run(args, settings);

const today = () => new Date().toISOString().slice(0, 10);
/** The tests may run past midnight. */
const startedOn = today();

let accountId = '';

test('serve prints a curl line that works when pasted', async () => {
  const { stdout } = await promisify(execFile)('sh', ['-c', service.welcome.curl]);
  equal(JSON.parse(stdout).data.length, 10);
});

test('serve prints the generated operator secret and keeps it for the other commands', async () => {
  match(service.welcome.operator.clientSecret ?? '', /^kpsec_/);
  equal((await runKeyport(['account', 'list'], { settings })).code, 0);
});

test('imports of every kind, as CSV and as NDJSON, report the number of written lines', async () => {
  const sellers = await file('sellers.csv', `id,name\n${SELLER_ID},Key Cellar\n`);
  const products = [{ id: PRODUCT_ID, name: 'Star Harbour', checkoutClass: 'standard' }];
  const offers = [
    { id: OFFER_ID, productId: PRODUCT_ID, sellerId: SELLER_ID, price: '12.30', status: 'active' },
  ];
  const keys = `offerId,code\n${OFFER_ID},CODE-1\n${OFFER_ID},CODE-2\n`;
  deepEqual(await counts(keyport('import', 'sellers', sellers, '--json')), [1, 1, 0, 0]);
  deepEqual(await counts(importNdjson('products', products)), [1, 1, 0, 0]);
  deepEqual(await counts(importNdjson('offers', offers)), [1, 1, 0, 0]);
  deepEqual(await counts(keyport('import', 'keys', await file('keys.csv', keys), '--json')), [2, 2, 0, 0]);
  const offer = await keyport('offer', 'show', OFFER_ID);
  match(offer.stdout, /^quantity +2$/m);
});

test('a rejected line is named with its number and the exit status is 1; the good lines are kept', async () => {
  const sellers = await file('more.csv', `id,name\n${SELLER_ID},Key Cellar\nnonsense,No one\n`);
  const { code, stdout } = await keyport('import', 'sellers', sellers);
  equal(code, 1);
  match(stdout, /^2 lines read: 0 written, 1 unchanged, 1 rejected\.\n {2}line 3: id must be a UUID/);
});

test('an import that the service rejects as a whole fails with its message', async () => {
  const { code, stderr } = await keyport('import', 'sellers', await file('bad.csv', 'nonsense\n1\n'));
  equal(code, 1);
  match(stderr, /header row .*\(validation-error\)\n {2}trace id [0-9a-f]{32}\n$/);
});

test('keys are added from standard input, one per line, and a known code is a duplicate', async () => {
  const { stdout } = await runKeyport(['keys', 'add', OFFER_ID], { settings, input: 'CODE-2\nCODE-3\r\n\n' });
  match(stdout, /^added +1\nduplicates +1\ntrimmed +0\n$/);
});

test.each([
  ['CODE-2\rCODE-3\r'],
  [Buffer.from('\ufeffCODE-2\r\nCODE-3\r\n', 'utf16le')],
  ['\ufeffCODE-2\n\nCODE-3'],
])('codes are read with any line ends, in UTF-8 or marked UTF-16: %j', async (input) => {
  const { stdout, stderr } = await runKeyport(['keys', 'add', OFFER_ID], { settings, input });
  match(stdout, /^added +0\nduplicates +2\n/, stderr);
});

test.each([
  [Buffer.from('\xe9K-3\n', 'latin1'), /standard input is not valid UTF-8; write it in UTF-8/],
  [Buffer.from('CODE-9\n', 'utf16le'), /keys\[0\]\.code has U\+0000 at position|NUL/],
  [`CODE-9\nCODE\ufffd\n`, /keys\[1\]\.code has U\+FFFD at position 5, which replaces a character/],
  [
    `offerId,code\n${OFFER_ID},CODE-9\n`,
    /keys\[0\]\.code is a row of column names.*\n.*keys\[1\]\.code is a row of CSV/,
  ],
  ['CODE-9\nCODE-A\tCODE-B\n', /keys\[1\]\.code has U\+0009 at position 7, a line end or another control/],
])('what is no code is rejected, and no key is added: %j', async (input, problem) => {
  const run = await runKeyport(['keys', 'add', OFFER_ID], { settings, input });
  equal(run.code, 1);
  match(run.stderr, problem);
  match((await keyport('offer', 'show', OFFER_ID)).stdout, /^quantity +3$/m);
});

test('unsold keys are withdrawn by code or by number, and exceptions are reported', async () => {
  const codes = ['keys', 'withdraw', OFFER_ID, '--reason', 'Leaked', '--codes', '-'];
  const { stdout } = await run([...codes, '--json'], settings, 'CODE-3\nCODE-9\n');
  deepEqual(JSON.parse(stdout).data, {
    withdrawn: 1,
    quantity: 2,
    notWithdrawn: [{ index: 1, reason: 'unknown' }],
  });
  const many = ['keys', 'withdraw', OFFER_ID, '--reason', 'Recalled', '--quantity'];
  const { code, stderr } = await keyport(...many, '3', '--kind', 'text');
  equal(code, 1);
  match(stderr, /has 2 unsold text keys/);
  match((await keyport(...many, '1')).stdout, /^withdrawn +1\nquantity +1\n/);
  equal((await keyport(...many, '1', '--codes', '-')).code, 2);
});

test('an offer gets a new price, is paused and is resumed', async () => {
  const shown = async (...args: string[]) => (await keyport('offer', ...args)).stdout;
  match(await shown('update', OFFER_ID, '--price', '11.9'), /^price +11\.90\nstatus +active$/m);
  match(await shown('pause', OFFER_ID), /^price +11\.90\nstatus +paused$/m);
  match(await shown('resume', OFFER_ID), /^status +active$/m);
  const nothing = await keyport('offer', 'update', OFFER_ID);
  deepEqual([nothing.code, nothing.stdout], [1, '']);
  match(nothing.stderr, /must name at least one field to change/);
});

test('an account is created and changed from options, including JSON and null values', async () => {
  const name = 'Acme \u001b[31mGames';
  const created = await keyport(
    ...['account', 'create', '--name', name, '--payment-method', 'balance', '--json'],
    ...['--limits', '{"dailyUnitsMax":5}', '--hold-orders', 'true'],
  );
  const account = JSON.parse(created.stdout).data;
  accountId = account.id;
  deepEqual(
    [account.name, account.limits.dailyUnitsMax, account.holdOrders, account.sellerId],
    [name, 5, true, null],
  );
  const changed = await keyport('account', 'update', accountId, '--payment-method', 'null');
  match(changed.stdout, /^paymentMethod +-$/m);
  doesNotMatch(changed.stdout, /\u001b/);
});

test('a rejection of the service names the fields and the trace id, and the exit status is 1', async () => {
  const { code, stdout, stderr } = await keyport(
    ...['account', 'update', accountId, '--discount-percent', '101', '--hold-orders', 'perhaps'],
  );
  deepEqual([code, stdout], [1, '']);
  match(stderr, /^keyport: .*$/m);
  match(stderr, /--discount-percent must be /);
  match(stderr, /--hold-orders must be /);
  match(stderr, /trace id [0-9a-f]{32}/);
});

test('a deposit is booked once per reference', async () => {
  const first = await keyport('deposit', accountId, '250.00', 'bank-7');
  const again = await keyport('deposit', accountId, '250', 'bank-7');
  const other = await keyport('deposit', accountId, '251', 'bank-7');
  deepEqual([first.code, again.code, other.code], [0, 0, 1]);
  match(first.stdout, /is booked:\n/);
  match(again.stdout, /nothing changed:\n/);
  match(other.stderr, /\(conflict\)/);
  const statement = await keyport('statement', accountId, '--json');
  deepEqual(
    JSON.parse(statement.stdout).data.map((line: { balance: string }) => line.balance),
    ['250.00'],
  );
});

test('a balance is corrected and paid out, and the statement shows this as text, CSV and JSON', async () => {
  const adjusted = await keyport(
    ...['adjustment', accountId, 'credit', '0.50', 'case-1', '--reason', '=bank fee'],
  );
  match(adjusted.stdout, /^The adjustment is booked:\n(?:.*\n)*balance +250\.50$/m);
  const tooMuch = await keyport('payout', accountId, '1000', 'bank-8');
  deepEqual([tooMuch.code, tooMuch.stdout], [1, '']);
  match(tooMuch.stderr, /holds 250\.50 EUR/);
  match((await keyport('payout', accountId, '0.50', 'bank-8')).stdout, /^The payout is booked:\n/);

  const people = await keyport('statement', accountId, '--from', '2026-01-01');
  match(people.stdout, /^closingBalance +250\.00$/m);
  match(people.stdout, /^3 +.* payout +- +bank-8 +- +-0\.50 +250\.00$/m);
  const csv = await keyport('statement', accountId, '--to', '2999-12-31', '--csv');
  match(csv.stdout, /\r\n2,\d+,[^,]+,adjustment,0\.50,250\.50,,case-1,=bank fee\r\n/);
  match(csv.stdout, /\r\n,,2199-12-31[^,]+,closing,,250\.00,,,\r\n$/);
  const path = join(folder, 'statement.csv');
  const written = await keyport('statement', accountId, '--to', '2999-12-31', '--csv', '--output', path);
  deepEqual([written.code, written.stdout, await readFile(path, 'utf8')], [0, '', csv.stdout]);
  const past = await keyport('statement', accountId, '--to', '2020-12-31', '--json');
  deepEqual(JSON.parse(past.stdout).summary.createdAtTo, '2020-12-31T23:59:59.999999Z');
  const nowhere = await keyport('statement', accountId, '--csv', '--output', join(folder, 'no', 'where.csv'));
  deepEqual([nowhere.code, nowhere.stderr.startsWith('keyport: the file cannot be written')], [1, true]);

  const all = await keyport('statements', '--query', 'acme');
  match(all.stdout, new RegExp(`^${accountId} .* 0\\.00 +250\\.00 .* 250\\.00$`, 'm'));
  const allCsv = await keyport('statements', '--to', '2999-12-31', '--csv', '--output', path);
  deepEqual([allCsv.code, allCsv.stdout], [0, '']);
  match(await readFile(path, 'utf8'), new RegExp(`\r\n${accountId},.*,closing,,250\\.00,,,\r\n`));
  match(await readFile(path, 'utf8'), /\r\n,,,,,total,[^,]+,[^,]+,,,\r\n$/);

  const books = await keyport('books');
  match(books.stdout, /^cash +[\d.]+ +0\.50 /m);
  match(books.stdout, /\nDebits and credits are equal\.\n$/);
  equal(JSON.parse((await keyport('books', '--at', today(), '--json')).stdout).data.totals.balance, '0.00');
});

test('a client of the account is created, gets a second secret, and is disabled', async () => {
  const created = await keyport('client', 'create', accountId, '--name', 'Shop', '--json');
  const { clientId } = JSON.parse(created.stdout).data;
  match((await keyport('client', 'secret', clientId)).stdout, /^clientSecret +kpsec_/m);
  equal((await keyport('client', 'disable', clientId)).stdout, 'The client is disabled.\n');
  match((await keyport('client', 'enable', clientId)).stdout, /^disabledAt +-$/m);
  equal((await keyport('client', 'disable', clientId)).stdout, 'The client is disabled.\n');
  const { stdout } = await keyport('client', 'list', accountId, '--json');
  const [client] = JSON.parse(stdout).data;
  deepEqual([client.name, client.liveSecrets, client.disabledAt === null], ['Shop', 2, false]);
});

test('orders are listed page by page, and an order is shown with its status log', async () => {
  const list = await keyport('order', 'list', '--status', 'complete', '--items-per-page', '10');
  match(list.stdout, /--page 2 shows more\n$/);
  const orderId = must(/^\d{14,16}/m.exec(list.stdout)?.[0], 'an order in the list');
  match(list.stdout, /^id +status +accountName +product .* reference +holdReason +createdAt$/m);
  const shown = (await keyport('order', 'show', orderId)).stdout;
  match(shown, /^totalPrice +\d+\.\d\d$/m);
  match(shown, /^balance +\d+\.\d\d$/m);
  match(shown, /^Item +Product +Seller +Price +Ordered +Paid +Delivered +Refunded +Total$/m);
  match(shown, /^At +From +To +By +Reason$/m);
});

test('verify checks every invariant, even while the service uses the database', async () => {
  const { code, stdout } = await keyport('verify');
  deepEqual([code, /\nAll hold\.\n$/.test(stdout)], [0, true], stdout);
  const asked = await keyport('verify', '--json', '--url', service.welcome.url);
  deepEqual(
    JSON.parse(asked.stdout).filter((result: { broken: number }) => result.broken > 0),
    [],
  );
});

test('verify --only checks the named invariants, and the service compares its memory', async () => {
  const { code, stdout, stderr } = await keyport('verify', '--only', 'I98,I66', '--json');
  const results: { id: string; checked: number; broken: number }[] = JSON.parse(stdout);
  deepEqual([code, stderr, results.map(({ id }) => id)], [0, '', ['I98', 'I66']]);
  equal(
    results.every(({ checked, broken }) => checked > 0 && broken === 0),
    true,
  );
  const unknown = await keyport('verify', '--only', 'I98,I1000');
  equal(unknown.code, 1);
  match(unknown.stderr, /only names I1000: no such invariant is checked; choose from I3, I5, .*, I66/);
});

test('serve names the setting to change when its port or its data folder is taken', async () => {
  const elsewhere = {
    KEYPORT_DATA_DIR: 'memory',
    KEYPORT_DEMO: 'false',
    KEYPORT_PORT: settings.KEYPORT_PORT,
  };
  const port = await runKeyport(['serve'], { settings: elsewhere });
  deepEqual([port.code, port.stdout], [1, '']);
  match(port.stderr, /^keyport: the address 127\.0\.0\.1, port \d+, is already in use\. .*KEYPORT_PORT/m);
  if (databaseUrl !== undefined) return;
  const data = await runKeyport(['migrate'], { settings });
  equal(data.code, 1);
  match(data.stderr, /^keyport: the data folder .* is in use by process \d+/);
});

test('status shows what runs and where; commands find the service without being given its port', async () => {
  const { KEYPORT_PORT: _port, ...elsewhere } = settings;
  const live = { ...elsewhere, KEYPORT_PUBLIC_URL: 'http://keyport.invalid' };
  const { code, stdout, stderr } = await run(['status'], live);
  equal(code, 0, stderr);
  for (const line of [
    `url +${service.welcome.url}`,
    'ready +true',
    'mode +sandbox',
    'version +[\\d.]+',
    'nodes +1',
    `database +${databaseUrl === undefined ? 'embedded' : 'postgres'}, PostgreSQL \\d+\\.\\d+`,
    'lastVerification +.+',
  ])
    match(stdout, new RegExp(`^${line}$`, 'm'));
  equal((await run(['seller', 'show', SELLER_ID], live)).code, 0);
  const status = JSON.parse((await run(['status', '--json'], live)).stdout);
  deepEqual([status.isRunning, status.checks.accepting, status.nodes.length], [true, true, 1]);
});

test('a seller and an offer get an id when none is given; lists show them, by page or with --all', async () => {
  const put = await keyport('seller', 'put', '--name', 'Second Cellar', '--json');
  const { id: sellerId } = JSON.parse(put.stdout).data;
  const offer = ['--product-id', PRODUCT_ID, '--price', '9.00', '--status', 'paused', '--json'];
  const made = await keyport('offer', 'put', '--seller-id', sellerId, ...offer);
  const { id: offerId } = JSON.parse(made.stdout).data;
  match(
    (await keyport('offer', 'list', '--seller-id', sellerId)).stdout,
    new RegExp(`^${offerId} .* paused .* 9\\.00$`, 'm'),
  );
  const page = await keyport('seller', 'list', '--limit', '1');
  match(page.stdout, /^--cursor [\w-]+ shows more, --all everything$/m);
  const all = JSON.parse((await keyport('seller', 'list', '--limit', '1', '--all', '--json')).stdout);
  const ids = all.data.map(({ id }: { id: string }) => id);
  deepEqual([ids.includes(sellerId), ids.includes(SELLER_ID), new Set(ids).size], [true, true, ids.length]);
  match((await keyport('product', 'list', '--limit', '1')).stdout, /^id +name +checkoutClass/);
  match((await keyport('keys', 'list', OFFER_ID)).stdout, /^\d+ +… *\S* +withdrawn +text +-$/m);
});

test('days are accepted in place of timestamps; an unknown action is rejected with the list of actions', async () => {
  const deposits = ['--date-from', startedOn, '--date-to', today(), '--action', 'deposit.create', '--json'];
  equal(JSON.parse((await keyport('audit', ...deposits)).stdout).data.length, 1);
  const past = await keyport('order', 'list', '--date-to', '2001-01-01', '--all', '--json');
  deepEqual([past.code, JSON.parse(past.stdout).data], [0, []]);
  const unknown = await keyport('audit', '--action', 'key.read');
  equal(unknown.code, 1);
  match(unknown.stderr, /--action must be one of account\.create, .*keys\.read, /);
});

test('commands that read the database work beside the running service', async () => {
  equal((await keyport('migrate', '--check')).stdout, 'The schema is up to date.\n');
  match((await keyport('master-key', 'list')).stdout, / yes +yes +[1-9]\d* +1 of 1$/m);
  const { stdout } = await keyport('audit', 'verify');
  const [, anchor = ''] =
    /^[1-9]\d* entries checked: no entry was removed.*\n.*\n {2}(\d+:[0-9a-f]{64})$/m.exec(stdout) ?? [];
  equal((await keyport('audit', 'verify', '--anchor', anchor)).code, 0);
  const other = `1:${'0'.repeat(64)}`;
  const missed = await keyport('audit', 'verify', '--anchor', other, '--json');
  deepEqual([missed.code, JSON.parse(missed.stdout).broken], [1, 1]);
});

test('SIGTERM ends the service gracefully', async () => {
  equal(await service.stop('SIGTERM'), 0);
});

test('status reports that nothing runs', async () => {
  const { code, stdout } = await keyport('status');
  deepEqual(
    [code, stdout],
    [1, `No service responds at ${service.welcome.url}. Start one with \`keyport serve\`.\n`],
  );
});

test('migrate has nothing to do after the service has run', async () => {
  equal((await keyport('migrate', '--check')).stdout, 'The schema is up to date.\n');
});

test('verify names the violated invariant, and the exit status is 1', async () => {
  const opened = await openDatabase({ url: databaseUrl, dataDir: settings.KEYPORT_DATA_DIR });
  const client = await opened.connect();
  await client.query(`UPDATE account SET balance_minor = balance_minor + 1 WHERE id = '${accountId}'`);
  client.release();
  await opened.close();
  const { code, stdout } = await keyport('verify');
  equal(code, 1);
  match(
    stdout,
    new RegExp(
      `^I3 is violated: .*\n {2}account ${accountId} has 25001, but its entries add up to 25000$`,
      'm',
    ),
  );
  match(stdout, /\n1 of \d+ are violated\.\n$/);
});

test('verify reports that no memory was compared when no service runs', async () => {
  const { code, stdout, stderr } = await keyport('verify', '--only', 'I98,I66');
  equal(code, 0);
  match(stderr, /^I66 was not checked: no service compared its memory: .*\n$/);
  match(stdout, /\nAll checked invariants hold\.\n$/);
});

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function importNdjson(kind: string, lines: readonly object[]): Promise<Run> {
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return keyport('import', kind, await file(`${kind}.ndjson`, content), '--json');
}

async function counts(running: Promise<Run>): Promise<number[]> {
  const { data } = JSON.parse((await running).stdout);
  return [data.read, data.written, data.unchanged, data.rejected];
}
