/** The sources of the workspace and their imports, for the architecture rules. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor, type VisitorObject } from 'oxc-parser';

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

export type Source = { readonly path: string; readonly text: string };

export type Import = {
  readonly from: string;
  readonly specifier: string;
  /** Undefined for an external package. */
  readonly target: string | undefined;
  /** A dynamic import has none. */
  readonly names: readonly string[];
  readonly kind: 'value' | 'type' | 'dynamic';
};

export function readSources(): Source[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: ROOT,
  });
  return [...new Set(listed.toString().trim().split('\n'))]
    .filter((path) => /^(?:packages|proof|bench|scripts)\//.test(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

export function toImports({ path, text }: Source): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const found = [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      names: entries.flatMap(({ importName }) => importName.name ?? []),
      kind:
        entries.length > 0 && entries.every(({ isType }) => isType) ? ('type' as const) : ('value' as const),
    })),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, importName, isType }) =>
        moduleRequest === null
          ? []
          : {
              specifier: moduleRequest.value,
              names: importName.name === null ? [] : [importName.name],
              kind: isType ? ('type' as const) : ('value' as const),
            },
      ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: text.slice(start + 1, end - 1),
      names: [],
      kind: 'dynamic' as const,
    })),
  ];
  return found.map((one) => ({ ...one, from: path, target: resolve(path, one.specifier) }));
}

export function visit({ path, text }: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(parseSync(path, text).program);
}

type Manifest = { readonly name: string; readonly exports?: Readonly<Record<string, unknown>> };

/** The folder of each package of the workspace, and its exported files by name. */
const packages = new Map(
  globSync(['packages/*/{,src/}package.json', 'proof/package.json'], { cwd: ROOT }).map((path) => {
    const { name, exports = {} }: Manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    return [name, { folder: posix.dirname(path), exports: Object.entries(exports) }];
  }),
);

function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const [name = '', rest = ''] = /^(@keyport\/[^/]+)(.*)$/.exec(specifier)?.slice(1) ?? [];
  const owner = packages.get(name);
  const wanted = `.${rest}`;
  for (const [key, file] of owner?.exports ?? []) {
    if (typeof file !== 'string' || !file.endsWith('.ts')) continue;
    const [start = '', end] = key.split('*');
    if (end === undefined ? key !== wanted : !wanted.startsWith(start)) continue;
    return posix.join(owner?.folder ?? '', file.replace('*', wanted.slice(start.length)));
  }
  return undefined;
}
