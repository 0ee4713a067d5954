/**
 * The rules of the architecture that a compiler does not check: who may import whom, what the core must not know,
 * and where SQL and the environment are allowed.
 * It reads the sources as text, so it needs nothing installed and takes milliseconds.
 */

import { deepEqual, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SERVER = 'packages/server/src/';

/** Ground of the server; every other folder of it is a feature. */
const SHARED_FOLDERS = new Set(['db', 'operations']);

/** The other features that each feature imports. */
const FEATURE_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  access: ['custody'],
  accounts: ['access', 'audit', 'catalogue'],
  approvals: ['audit'],
  catalogue: ['audit', 'imports', 'listings', 'stock'],
  custody: ['audit'],
  demo: ['catalogue', 'ledger', 'listings'],
  events: ['catalogue'],
  imports: ['audit', 'catalogue', 'listings', 'stock'],
  ledger: ['accounts', 'audit', 'catalogue', 'summary'],
  listings: ['audit', 'catalogue', 'stock'],
  nodes: ['custody'],
  orders: ['audit', 'catalogue', 'ledger', 'payments', 'stock'],
  people: ['access', 'audit', 'custody'],
  sandbox: ['audit', 'payments'],
  stock: ['audit', 'catalogue', 'custody', 'listings'],
  summary: ['ledger'],
  verify: ['audit', 'ledger'],
  webhooks: ['audit', 'custody', 'events'],
};

/** They put the features together, so they see all of them. */
const COMPOSERS = new Set([
  `${SERVER}app.ts`,
  `${SERVER}catalogue/feature.ts`,
  `${SERVER}summary/feature.ts`,
]);

/** Statements that higher features use in their own transactions. */
const PUBLIC_SQL = new Set(
  [
    'accounts/accounts',
    'audit/append-audit',
    'catalogue/catalogue-clock',
    'ledger/house-accounts',
    'ledger/sums',
    'ledger/transfers',
    'listings/catalogue',
    'stock/product-keys',
    'stock/stock',
    'stock/withdraw-keys',
  ].map((name) => `${SERVER}${name}.sql.ts`),
);

const COMMENT_OR_STRING =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|`(?:\\.|[^`\\])*`/g;
const IMPORTS = [
  /^\s*(?:import|export|\})[^'"\n;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
];
const IMPURE = /\b(?:Date|Intl|Math\.random|Promise|async|await|process|globalThis)\b/g;
const SQL = /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/;

type Source = { readonly path: string; readonly text: string };
type Import = { readonly from: string; readonly specifier: string; readonly target: string | undefined };

const sources = readSources();
const production = sources.filter(({ path }) => path.includes('/src/') && !path.endsWith('.test.ts'));
const packageSources = production.filter(({ path }) => path.startsWith('packages/'));
const imports = production.flatMap(importsOf);

test('core imports nothing but its own files', () => {
  deepEqual(importsFrom('core').filter(isOutside), []);
});

test('contract imports only core, TypeBox and its own files', () => {
  const allowed = ({ specifier }: Import) => /^(?:@keyport\/core\/|typebox(?:\/|$))/.test(specifier);
  deepEqual(
    importsFrom('contract').filter((one) => isOutside(one) && !allowed(one)),
    [],
  );
});

test('import imports only core, contract, TypeBox and its own files', () => {
  const allowed = ({ specifier }: Import) => /^(?:@keyport\/(?:core|contract)\/|typebox$)/.test(specifier);
  deepEqual(
    importsFrom('import').filter((one) => isOutside(one) && !allowed(one)),
    [],
  );
});

const SDK_COMMAND = 'packages/sdk/src/cli.ts';

test('the SDK imports nothing but its own files and, for files and commands, Node', () => {
  const allowed = ({ from, specifier }: Import) =>
    specifier.startsWith('node:') &&
    (/^packages\/sdk\/src\/(?:node|commands)\//.test(from) || from === SDK_COMMAND);
  deepEqual(
    importsFrom('sdk').filter((one) => isOutside(one) && !allowed(one)),
    [],
  );
});

test('server does not import the command line or the benchmarks', () => {
  deepEqual(
    importsFrom('server').filter(({ specifier }) => /^@keyport\/(?:cli|bench)\b/.test(specifier)),
    [],
  );
});

test('no relative import leaves its package and no production file imports a test', () => {
  const leaves = ({ from, specifier, target = '' }: Import) =>
    specifier.startsWith('.') && !target.startsWith(`${packageFolder(from)}src/`);
  deepEqual(
    imports.filter((one) => leaves(one) || /\.test(?:\.ts)?$/.test(one.specifier)),
    [],
  );
});

test('the database layer knows no feature', () => {
  const isFeature = ({ target }: Import) => target !== undefined && featureOf(target) !== undefined;
  deepEqual(
    imports.filter((one) => one.from.startsWith(`${SERVER}db/`) && isFeature(one)),
    [],
  );
});

test('the SQL and the routes of a feature are used inside it and by the application that composes them', () => {
  const offends = ({ from, target = '' }: Import) => {
    const owner = featureOf(target);
    const isPrivate = owner !== undefined && /\.(?:sql|routes)\.ts$/.test(target);
    return isPrivate && !PUBLIC_SQL.has(target) && owner !== featureOf(from) && !COMPOSERS.has(from);
  };
  deepEqual(imports.filter(offends), []);
});

test('live mode does not load the code of the sandbox: one place imports it, when the mode is sandbox', () => {
  const importers = imports.filter(
    ({ from, target = '' }) => target.startsWith(`${SERVER}sandbox/`) && featureOf(from) !== 'sandbox',
  );
  deepEqual([...new Set(importers.map(({ from }) => from))], [`${SERVER}app.ts`]);
  const app = sources.find(({ path }) => path === `${SERVER}app.ts`)?.text ?? '';
  const mentions = app.match(/^.*'\.\/sandbox\/.*$/gm) ?? [];
  deepEqual(
    mentions.filter((line) => !/^import type |= await import\(/.test(line)),
    [],
  );
  const loader = /async function loadSandbox[\s\S]*?\n}/.exec(app)?.[0] ?? '';
  ok(loader.includes("if (mode !== 'sandbox') return undefined;"));
  deepEqual(loader.match(/import\(/g)?.length, app.match(/import\('\.\/sandbox/g)?.length);
});

test('a feature imports only those that it declares here, and all of these', () => {
  const actual: Record<string, string[]> = {};
  for (const { from, target = '' } of imports) {
    const [user, used] = [featureOf(from), featureOf(target)];
    if (user === undefined || used === undefined || user === used) continue;
    actual[user] = [...new Set([...(actual[user] ?? []), used])].sort();
  }
  deepEqual(actual, FEATURE_IMPORTS);
});

test('no file imports itself by way of others', () => {
  const targetsOf = Map.groupBy(
    imports.filter(({ target }) => target !== undefined),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const findCycle = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const { target = '' } of targetsOf.get(path) ?? []) {
      const cycle = findCycle(target, [...way, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  deepEqual(
    [...targetsOf.keys()].map((path) => findCycle(path, [])).filter((cycle) => cycle !== undefined),
    [],
  );
});

test('inside a feature SQL does not import routes', () => {
  const offends = ({ from, target = '' }: Import) =>
    from.endsWith('.sql.ts') && target.endsWith('.routes.ts');
  deepEqual(imports.filter(offends), []);
});

test('core has no dependencies, no clock, no randomness and nothing asynchronous', () => {
  const manifest: object = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'));
  ok(!('dependencies' in manifest));
  const core = production.filter(({ path }) => path.startsWith('packages/core/'));
  ok(core.length > 0);
  deepEqual(
    core.flatMap(({ path, text }) => (codeOf(text).match(IMPURE) ?? []).map((word) => `${path}: ${word}`)),
    [],
  );
});

test('the environment is read by the configuration of the server and the command of the SDK', () => {
  const readers = packageSources.filter(({ text }) => /\bprocess\s*\.\s*env\b/.test(codeOf(text)));
  deepEqual(paths(readers), [SDK_COMMAND, `${SERVER}config.ts`]);
});

test('SQL stands in .sql.ts files and in the database layer only', () => {
  const isPlaceForSql = (path: string) => path.endsWith('.sql.ts') || path.startsWith(`${SERVER}db/`);
  deepEqual(
    paths(packageSources.filter(({ path, text }) => !isPlaceForSql(path) && SQL.test(codeOf(text)))),
    [],
  );
});

test('package-lock.json names no server that packages come from', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  deepEqual(lock.match(/"resolved": "[^"]*:[^"]*"/g), null);
});

test('the reader of this test sees every form of import, and no word of a comment or a string', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import {\n  b,\n} from '@keyport/core/b';",
    "export { c } from 'c';",
    "import './d.ts';",
    "const e = await import('node:e');",
    "// import f from 'f';",
    "/* import g from 'g'; */",
  ].join('\n');
  const found = importsOf({ path: 'packages/server/src/x/y.ts', text }).map(
    ({ target, specifier }) => target ?? specifier,
  );
  const inside = ['packages/server/src/x/a.ts', 'packages/core/src/b.ts', 'packages/server/src/x/d.ts'];
  deepEqual(found.toSorted(), [...inside, 'c', 'node:e'].toSorted());
  const code = codeOf("// Date\n/* Date */ f('Date', \"it's a Date\"); g(`Date`);");
  deepEqual(code.match(IMPURE), ['Date']);
});

function readSources(): Source[] {
  const folders = readdirSync(join(ROOT, 'packages')).flatMap((name) => [
    `packages/${name}/src`,
    `packages/${name}/test`,
  ]);
  return [...folders, 'bench/src', 'scripts'].flatMap((folder) => {
    if (!existsSync(join(ROOT, folder))) return [];
    const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ path: relative(ROOT, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }));
  });
}

function importsOf({ path, text }: Source): Import[] {
  const code = text.replace(COMMENT_OR_STRING, (token) => (/^\/[/*]/.test(token) ? ' ' : token));
  return IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)]).map(([, specifier = '']) => ({
    from: path,
    specifier,
    target: resolve(path, specifier),
  }));
}

/** The file in this repository that is meant, or undefined for a package from elsewhere. */
function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const own = /^@keyport\/([^/]+)\/(.+)$/.exec(specifier);
  return own === null ? undefined : `packages/${own[1]}/src/${own[2]}.ts`;
}

/** The text without comments and quoted strings; template strings stay, since they hold code and SQL. */
function codeOf(text: string): string {
  return text.replace(COMMENT_OR_STRING, (token, comment, string) => (comment ? ' ' : string ? "''" : token));
}

function importsFrom(name: string): Import[] {
  return imports.filter(({ from }) => from.startsWith(`packages/${name}/`));
}

function isOutside({ from, target }: Import): boolean {
  return target === undefined || !target.startsWith(`${packageFolder(from)}src/`);
}

function packageFolder(path: string): string {
  return path.slice(0, path.indexOf('src/'));
}

function featureOf(path: string): string | undefined {
  if (!path.startsWith(SERVER)) return undefined;
  const [folder = '', ...rest] = path.slice(SERVER.length).split('/');
  return rest.length === 0 || SHARED_FOLDERS.has(folder) ? undefined : folder;
}

function paths(files: readonly Source[]): string[] {
  return files.map(({ path }) => path);
}
