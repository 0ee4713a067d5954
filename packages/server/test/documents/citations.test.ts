/** The tests read files as text. A citation is a rule's number as a separate word, as in A37. */
import { deepEqual, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'vitest';
import { ROOT, readFirstChange } from '../support/first-change.ts';

const IGNORED_FOLDERS = new Set(['node_modules', '.git', '.data', 'build', 'dist']);
const CITING_FILES = /(?:\.(?:tsx?|js|mjs|py|md|sql|sh|ya?ml|cfg|ini|service|example)|Dockerfile)$/;

const CITATION = /(?<![\w-])[AIR][0-9]{1,3}(?![\w-])/g;
const DEFINITION = /^- \*\*([AIR][0-9]{1,3})\*\* |^ {4}id: '(I[0-9]{1,3})',$/gm;
/** The files that define the rules and the invariants. */
const DEFINING_FILES = /^docs\/rules\.md$|^packages\/server\/src\/verify\/invariants\//;
const LOOKALIKE = /Radeon R[0-9]/g;
const FOREIGN_CITATION = /\b[Dd]ecisions? sections? [0-9]|\bSpec: ["A-Zo]|\b[Ff]aults? [A-H]\b/g;

/** Matches `docs/rules.md` and `ARCHITECTURE.md, "Flow of an order"`, for example. */
const CITED_DOCUMENT =
  /\b(docs\/[\w/-]+\.md|(?:README|ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY)\.md)(?:, "([^"\n]+)")?/g;
const NAMED_FILE = /`([\w-]+(?:[\w./-]*\/)?[\w.-]*)`/g;
const ROOT_FOLDERS = /^(?:packages|docs|scripts|bench|proof|deploy|clients)\//;
const SOURCE = /[\w-]\.(?:ts|mjs|py|yml|cfg)$/;

type Text = { readonly path: string; readonly text: string };

const files = listFiles('.');
const texts = readTexts();
const documents = texts.filter(({ path }) => path.endsWith('.md'));
const definitions = texts
  .filter(({ path }) => DEFINING_FILES.test(path))
  .flatMap(({ text }) => Array.from(text.matchAll(DEFINITION), ([, rule, invariant]) => rule ?? invariant));
const rules = new Set(definitions);

test('every cited rule is in docs/rules.md or is an invariant', () => {
  const cited = texts.flatMap(({ path, text }) => toCitations(text).map((id) => ({ path, id })));
  ok(cited.length > rules.size);
  deepEqual(
    cited.filter(({ id }) => !rules.has(id)),
    [],
  );
});

test('each number belongs to one rule', () => {
  ok(definitions.length > 0);
  deepEqual(
    definitions.filter((id, index) => definitions.indexOf(id) !== index),
    [],
  );
});

test('the lines that the first change in CONTRIBUTING.md replaces occur once in their files', async () => {
  const { steps } = await readFirstChange();
  ok(steps.length > 0);
  for (const { path, before } of steps) {
    const count = toText(path).split(before).length - 1;
    ok(count === 1, `${path} has these lines ${count} times:\n${before}`);
  }
});

test('nothing cites a document that is not in the repository', () => {
  const own = relative(ROOT, import.meta.filename)
    .split(sep)
    .join('/');
  deepEqual(
    texts
      .filter(({ path }) => path !== own)
      .flatMap(({ path, text }) =>
        (text.match(FOREIGN_CITATION) ?? []).map((citation) => ({ path, citation })),
      ),
    [],
  );
});

test('every link in a document to a file of the repository resolves', () => {
  const links = documents.flatMap(({ path, text }) => toLinks(path, text));
  ok(links.length > 0);
  deepEqual(
    links.filter(({ target, anchor }) => !existsSync(join(ROOT, target)) || !hasAnchor(target, anchor)),
    [],
  );
});

test('every file that a document names in backticks exists', () => {
  const named = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(NAMED_FILE), ([, name = '']) => ({ path, name })),
  );
  const isMissing = (name: string) =>
    ROOT_FOLDERS.test(name)
      ? !existsSync(join(ROOT, name))
      : SOURCE.test(name) && !files.some((file) => `/${file}`.endsWith(`/${name}`));
  ok(named.some(({ name }) => SOURCE.test(name)));
  deepEqual(
    named.filter(({ name }) => isMissing(name)),
    [],
  );
});

test('every name in backticks in ARCHITECTURE.md is a path or a word of the code', () => {
  const code = texts.filter(({ path }) => !path.endsWith('.md')).map(({ text }) => text);
  const isWord = (name: string) => code.some((text) => text.includes(name.replace(/\(…\)$/, '(')));
  const isPath = (name: string) => files.some((file) => `/${file}`.includes(`/${name.replace(/^\*/, '')}`));
  const named = Array.from(toText('ARCHITECTURE.md').matchAll(/`([^`\n]+)`/g), ([, name = '']) => name);
  ok(named.length > 50);
  deepEqual(
    named.filter((name) => !isWord(name) && !isPath(name) && name !== '*.sql.ts'),
    [],
  );
});

test('every document and heading that the code cites exists', () => {
  const cited = texts
    .filter(({ path }) => !path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(CITED_DOCUMENT), ([, document = '', heading]) => ({
        path,
        document,
        heading,
      })),
    );
  ok(cited.some(({ heading }) => heading !== undefined));
  deepEqual(
    cited.filter(({ document, heading }) =>
      heading === undefined ? !files.includes(document) : !toHeadings(document).includes(heading),
    ),
    [],
  );
});

test('distinguishes a citation from a word that looks like one', () => {
  deepEqual(toCitations('A37, (I3); R1 to R2: AMD Radeon R7 265, SHA1, A4-paper, 0xA1, ARM64, A1B'), [
    'A37',
    'I3',
    'R1',
    'R2',
  ]);
  deepEqual('Spec: "Errors"; decisions section 4; Faults F 93.'.match(FOREIGN_CITATION)?.length, 3);
});

function readTexts(): Text[] {
  const filter = (path: string) => CITING_FILES.test(path);
  return files.filter(filter).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return IGNORED_FOLDERS.has(entry.name) ? [] : listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

function toText(wanted: string): string {
  return texts.find(({ path }) => path === wanted)?.text ?? '';
}

function toCitations(text: string): string[] {
  return text.replace(LOOKALIKE, '').match(CITATION) ?? [];
}

function toLinks(path: string, text: string) {
  const links = text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)/g);
  return Array.from(links, ([, target = '', anchor = '']) => ({
    path,
    target: target === '' ? path : join(dirname(path), target),
    anchor,
  }));
}

/** A heading's anchor, as common Markdown renderers create it. */
function hasAnchor(path: string, anchor: string): boolean {
  const anchors = toHeadings(path).map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  return anchor === '' || anchors.includes(anchor.slice(1));
}

function toHeadings(path: string): string[] {
  return Array.from(toText(path).matchAll(/^#+ (.*)$/gm), ([, title = '']) => title);
}
