import { deepEqual, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemberExpression } from 'oxc-parser';
import { test } from 'vitest';
import { type Import, ROOT, readSources, type Source, toImports, visit } from './support/sources.ts';

const SERVER = 'packages/server/src/';
const SDK_COMMAND = 'packages/sdk/src/cli.ts';

/** Features from the lowest to the highest. Each imports only features that are listed before it. */
const FEATURES = [
  'tracing',
  'metrics',
  'sums',
  'audit',
  'custody',
  'access',
  'catalogue',
  'ledger',
  'stock',
  'listings',
  'imports',
  'accounts',
  'payments',
  'events',
  'orders',
  'request-log',
  'webhooks',
  'people',
  'approvals',
  'verify',
  'matters',
  'summary',
  'notifications',
  'desk',
  'system',
  'sandbox',
  'reference',
  'console',
  'demo',
];

/** These files combine features, so they may import the routes and SQL of others. */
const COMPOSERS = new Set(
  ['app', 'accounts/feature', 'summary/feature'].map((name) => `${SERVER}${name}.ts`),
);

/** Statements that higher features use in their own transactions. */
const PUBLIC_SQL = new Set(
  [
    'accounts/accounts',
    'audit/append-audit',
    'audit/chain',
    'catalogue/catalogue-clock',
    'custody/master-keys',
    'ledger/house-accounts',
    'ledger/transfers',
    'listings/catalogue',
    'matters/matters',
    'stock/product-keys',
    'stock/stock',
    'sums/scarce-offers',
    'sums/sums',
  ].map((name) => `${SERVER}${name}.sql.ts`),
);

const sources = readSources();
const isTest = (path: string) => path.endsWith('.test.ts') || path.includes('/test/');
const production = sources.filter(({ path }) => path.includes('/src/') && !isTest(path));
const packageSources = production.filter(({ path }) => path.startsWith('packages/'));
const allImports = sources.flatMap(toImports);
const imports = allImports.filter(({ from }) => from.includes('/src/') && !isTest(from));

test('core imports nothing but its own files', () => {
  deepEqual(importsFrom('core').filter(isOutside), []);
});

for (const [name, allowed] of [['contract', /^(?:@keyport\/core\/|typebox(?:\/|$))/]] as const) {
  test(`${name} imports nothing but lower packages, TypeBox and its own files`, () => {
    deepEqual(
      importsFrom(name).filter((one) => isOutside(one) && !allowed.test(one.specifier)),
      [],
    );
  });
}

test('the SDK imports only its own files and, for files and commands, Node', () => {
  const allowed = ({ from, specifier }: Import) =>
    specifier.startsWith('node:') &&
    (/^packages\/sdk\/src\/(?:node|commands)\//.test(from) || from === SDK_COMMAND);
  deepEqual(
    importsFrom('sdk').filter((one) => isOutside(one) && !allowed(one)),
    [],
  );
});

test('the server does not import the command line or the benchmarks', () => {
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

test('routes import no SQL and open no transaction', () => {
  const offends = ({ from, target = '', names }: Import) =>
    from.endsWith('.routes.ts') &&
    (target.endsWith('.sql.ts') ||
      (target === `${SERVER}db/transaction.ts` && names.some((name) => name.startsWith('run'))));
  const offenders = imports.filter(offends).map(({ from }) => from.slice(SERVER.length));
  deepEqual([...new Set(offenders)].sort(), []);
});

test('the order of features has each feature once', () => {
  const folders = new Set(production.map(({ path }) => toFeature(path)).filter((name) => name !== undefined));
  deepEqual(FEATURES.toSorted(), [...folders].sort());
});

test('a feature imports only lower features', () => {
  const upward = imports.flatMap(({ from, target = '' }) => {
    const [user, used] = [toFeature(from), toFeature(target)];
    if (user === undefined || used === undefined || FEATURES.indexOf(used) <= FEATURES.indexOf(user))
      return [];
    return `${from.slice(SERVER.length)} > ${used}`;
  });
  deepEqual([...new Set(upward)].sort(), []);
});

test('the SQL and the routes of a feature are used only inside it and by composing files', () => {
  const offends = ({ from, target = '' }: Import) => {
    const owner = toFeature(target);
    const isPrivate = owner !== undefined && /\.(?:sql|routes)\.ts$/.test(target);
    return isPrivate && !PUBLIC_SQL.has(target) && owner !== toFeature(from) && !COMPOSERS.has(from);
  };
  deepEqual(imports.filter(offends), []);
});

test('the database layer imports no feature', () => {
  const isFeature = ({ target = '' }: Import) => toFeature(target) !== undefined;
  deepEqual(
    imports.filter((one) => one.from.startsWith(`${SERVER}db/`) && isFeature(one)),
    [],
  );
});

test('the database layer uses only its own tables', () => {
  const migrations = globSync(`${SERVER}db/migrations/0*`, { cwd: ROOT }).map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const tables = new Set(
    [...migrations.join('\n').matchAll(/CREATE TABLE "?(\w+)/g)].map(([, name = '']) => name),
  );
  const isForeign = (name: string) => tables.has(name);
  const namesTable = (text: string) =>
    isForeign(text) ||
    [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ONLY)\s+"?(\w+)/g)].some(([, name = '']) =>
      isForeign(name),
    );
  const offenders = production.filter(
    (source) =>
      source.path.startsWith(`${SERVER}db/`) &&
      !/migrations\/\d/.test(source.path) &&
      toStrings(source).some(namesTable),
  );
  deepEqual(offenders.map(({ path }) => path.slice(SERVER.length)).sort(), []);
});

test('live mode does not load the sandbox code, which one place imports only in sandbox mode', () => {
  const importers = imports.filter(
    ({ from, target = '' }) => target.startsWith(`${SERVER}sandbox/`) && toFeature(from) !== 'sandbox',
  );
  deepEqual([...new Set(importers.map(({ from }) => from))], [`${SERVER}app.ts`]);
  deepEqual(
    importers.filter(({ kind }) => kind === 'value'),
    [],
  );
  const app = sources.find(({ path }) => path === `${SERVER}app.ts`)?.text ?? '';
  const loader = /async function loadSandbox[\s\S]*?\n}/.exec(app)?.[0] ?? '';
  ok(loader.includes("if (mode !== 'sandbox') return undefined;"));
  deepEqual(loader.match(/import\(/g)?.length, importers.filter(({ kind }) => kind === 'dynamic').length);
});

const CONSOLE = 'packages/console/src/';
/** The console and the portal are both built from these files. */
const OF_BOTH_APPS =
  /^(?:(?:account-parts|api|forms|lists|shell|ui)\/(?!admin\.ts)|operate\/operate\.tsx$|profile\/(?:display|sign-in-ways|texts)\.tsx?$|[^/]+$)/;

test('no code of operators reaches the portal', () => {
  const reached = new Set([`${CONSOLE}portal/main.tsx`]);
  for (const from of reached)
    for (const { target } of imports.filter((one) => one.from === from && one.kind !== 'type'))
      if (target?.startsWith(CONSOLE)) reached.add(target);
  ok(reached.size > 40, `${reached.size} files`);
  const others = [...reached].map((path) => path.slice(CONSOLE.length));
  deepEqual(
    others.filter((path) => !path.startsWith('portal/') && !OF_BOTH_APPS.test(path)),
    [],
  );
});

test('the console’s components show texts of catalogues, not literals', () => {
  const components = production.filter(({ path }) => /^packages\/console\/src\/.*\.tsx$/.test(path));
  ok(components.length > 50);
  deepEqual(components.flatMap(shownLiterals), []);
});

test('imports have no cycles', () => {
  const targetsOf = Map.groupBy(
    allImports.filter(({ target }) => target !== undefined),
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
  const cycles = [...targetsOf.keys()].flatMap(
    (path) => findCycle(path, [])?.slice(0, -1).sort().join(' + ') ?? [],
  );
  deepEqual([...new Set(cycles)].sort(), []);
});

test('a test is named .test.ts, or .db.test.ts if it needs a database', () => {
  deepEqual(
    paths(sources).filter((path) => /\.(?!db\.)\w+\.test\.ts$/.test(path)),
    [],
  );
});

test('SQL files do not import routes', () => {
  const offends = ({ from, target = '' }: Import) =>
    from.endsWith('.sql.ts') && target.endsWith('.routes.ts');
  deepEqual(imports.filter(offends), []);
});

test('core has no dependencies, clock, randomness or asynchronous code', () => {
  const manifest: object = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'));
  ok(!('dependencies' in manifest));
  const core = production.filter(({ path }) => path.startsWith('packages/core/'));
  ok(core.length > 0);
  deepEqual(core.flatMap(impureWords), []);
});

test('only the server’s configuration and the SDK’s command read the environment', () => {
  deepEqual(paths(packageSources.filter(readsEnvironment)), [SDK_COMMAND, `${SERVER}config.ts`]);
});

test('SQL is only in .sql.ts files and in the database layer', () => {
  const isPlaceForSql = (path: string) => path.endsWith('.sql.ts') || path.startsWith(`${SERVER}db/`);
  deepEqual(paths(packageSources.filter((source) => !isPlaceForSql(source.path) && hasSql(source))), []);
});

test('package-lock.json names no registry', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  deepEqual(lock.match(/"resolved": "[^"]*:[^"]*"/g), null);
});

test('finds every form of import, and none in comments or strings', () => {
  const source = (text: string) => ({ path: 'packages/server/src/x/y.ts', text });
  const text = [
    "import type { A } from './a.ts';",
    "import {\n  b,\n} from '@keyport/core/b';",
    "export { c } from 'c';",
    "export * from 'star';",
    "import './d.ts';",
    "const e = await import('node:e');",
    "// import f from 'f';",
  ].join('\n');
  deepEqual(
    toImports(source(text)).map(({ target, specifier, kind }) => `${kind} ${target ?? specifier}`),
    [
      'type packages/server/src/x/a.ts',
      'value packages/core/src/b.ts',
      'value packages/server/src/x/d.ts',
      'value c',
      'value star',
      'dynamic node:e',
    ],
  );
  deepEqual(
    impureWords(source("// Date\nf('Date', g(`Date`), new Date()); Math.random(); async () => await 1;"))
      .length,
    4,
  );
  deepEqual(
    readsEnvironment(source('f(process.env)')) && !readsEnvironment(source("f('process.env')")),
    true,
  );
  deepEqual(hasSql(source('sql<number>`SELECT 1`')) && hasSql(source("db.selectFrom('a')")), true);
});

test('finds exactly the literals that a component shows', () => {
  const text = `const a = [{ title: 'Aa', look: 'right' }, { title: texts.a }];
    const b = (
      <B className="b" label={a === 'xx' ? 'Bb' : texts.b} title={(name) => \`Cc \${name}\`} facts={{ [texts.d]: 'Dd' }}>
        {is && 'Ee'} · {texts.f} {find('xx')} Ff
      </B>
    );
    toast('Gg');`;
  deepEqual(
    shownLiterals({ path: 'b.tsx', text }).map((found) => found.replace('b.tsx: ', '')),
    ['Aa', 'Bb', 'Cc', 'Dd', 'Ee', 'Ff', 'Gg'],
  );
});

function impureWords(source: Source): string[] {
  const found: string[] = [];
  const note = (word: string) => found.push(`${source.path}: ${word}`);
  const noteAsync = ({ async: isAsync }: { async: boolean }) => isAsync && note('async');
  visit(source, {
    Identifier: ({ name }) => {
      if (['Date', 'Intl', 'Promise', 'process', 'globalThis'].includes(name)) note(name);
    },
    MemberExpression: (node) => {
      if (isMember(node, 'Math', 'random')) note('Math.random');
    },
    FunctionDeclaration: noteAsync,
    FunctionExpression: noteAsync,
    ArrowFunctionExpression: noteAsync,
    AwaitExpression: () => note('await'),
  });
  return found;
}

/** Attributes of components, and members of columns, actions and others, whose texts are shown. */
const SHOWN = new Set(
  'alt aria-label command description empty facts hint label none placeholder says submit text title values what whyNot'.split(
    ' ',
  ),
);

/** In calls, lists, comparisons and other attributes, only literals in an inner shown place count. */
function shownLiterals(source: Source): string[] {
  type Range = { readonly start: number; readonly end: number };
  const ranges: (Range & { readonly isShown: boolean })[] = [];
  const literals: { readonly start: number; readonly text: string; readonly isShown?: boolean }[] = [];
  const mark = ({ start, end }: Range, isShown: boolean) => ranges.push({ start, end, isShown });
  const markChildren = ({
    children,
  }: {
    readonly children: readonly (Range & { readonly type: string })[];
  }) => {
    for (const child of children) if (child.type === 'JSXExpressionContainer') mark(child, true);
  };
  visit(source, {
    JSXElement: markChildren,
    JSXFragment: markChildren,
    JSXAttribute: ({ name, value }) => {
      if (value !== null) mark(value, name.type === 'JSXIdentifier' && SHOWN.has(name.name));
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && SHOWN.has(key.name)) mark(value, true);
    },
    CallExpression: ({ callee, arguments: given }) => {
      for (const one of given) mark(one, callee.type === 'Identifier' && callee.name === 'toast');
    },
    ArrayExpression: (node) => {
      mark(node, false);
    },
    BinaryExpression: (node) => {
      mark(node, false);
    },
    MemberExpression: ({ property }) => {
      mark(property, false);
    },
    JSXText: ({ start, value }) => {
      literals.push({ start, text: value, isShown: true });
    },
    Literal: ({ start, value }) => {
      if (typeof value === 'string') literals.push({ start, text: value });
    },
    TemplateElement: ({ start, value }) => {
      literals.push({ start, text: value.raw });
    },
  });
  const isIn = (at: number) => ranges.findLast(({ start, end }) => start <= at && at < end)?.isShown ?? false;
  return literals.flatMap(({ start, text, isShown = isIn(start) }) =>
    isShown && /\p{Ll}/u.test(text) ? [`${source.path}: ${text.trim()}`] : [],
  );
}

function readsEnvironment(source: Source): boolean {
  if (!source.text.includes('env')) return false;
  let found = toImports(source).some(({ specifier }) => specifier === 'node:process');
  visit(source, {
    MemberExpression: (node) => {
      found ||= isMember(node, 'process', 'env');
    },
  });
  return found;
}

const BUILDERS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto'];

function hasSql(source: Source): boolean {
  if (!/sql|From\(|Into\(|updateTable\(/.test(source.text)) return false;
  let found = false;
  visit(source, {
    TaggedTemplateExpression: ({ tag }) => {
      found ||= tag.type === 'Identifier' && tag.name === 'sql';
    },
    MemberExpression: ({ property }) => {
      found ||= property.type === 'Identifier' && BUILDERS.includes(property.name);
    },
  });
  return found;
}

function toStrings(source: Source): string[] {
  const strings: string[] = [];
  visit(source, {
    Literal: ({ value }) => {
      if (typeof value === 'string') strings.push(value);
    },
    TemplateElement: ({ value }) => {
      strings.push(value.raw);
    },
  });
  return strings;
}

function isMember(node: MemberExpression, object: string, property: string): boolean {
  const isNamed = (one: { type: string; name?: unknown }, name: string) =>
    one.type === 'Identifier' && one.name === name;
  return isNamed(node.object, object) && isNamed(node.property, property);
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

function toFeature(path: string): string | undefined {
  if (!path.startsWith(SERVER)) return undefined;
  const [folder = '', ...rest] = path.slice(SERVER.length).split('/');
  return rest.length === 0 || folder === 'db' || folder === 'operations' ? undefined : folder;
}

function paths(files: readonly Source[]): string[] {
  return files.map(({ path }) => path);
}
