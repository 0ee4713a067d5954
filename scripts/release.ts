/**
 * `npm run release -- 0.3.0` prepares a release, to be committed by hand: versions, changelog, tests, the
 * SDK's tarball, the image if Docker runs, and the notes in `reports`. `--notes-only` writes only the notes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

process.chdir(new URL('..', import.meta.url).pathname);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'notes-only': { type: 'boolean', default: false } },
});
const [version = ''] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) fail('usage: npm run release -- VERSION, for example 0.3.0');
const tarball = `keyport-sdk-${version}.tgz`;
const notesFile = `reports/release-${version}.md`;

if (values['notes-only']) writeNotes();
else {
  check();
  bump();
  run('npm', 'ci');
  copyFileSync(`packages/sdk/build/${tarball}`, `packages/sdk/releases/${tarball}`);
  run('npm', 'test');
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0)
    run('docker', 'build', '-f', 'deploy/docker/Dockerfile', '-t', `keyport:${version}`, '.');
  else console.log('Docker is not running: no image was built.');
  writeNotes();
  console.log(
    `Next: git add --all && git commit -m "Release ${version}". Once it is on main, a workflow tags and publishes it.`,
  );
}

function check(): void {
  if (output('git', 'status', '--porcelain') !== '') fail('there are uncommitted changes');
  if (output('git', 'tag', '--list', `v${version}`) !== '') fail(`the tag v${version} exists`);
  if (globSync(`packages/sdk/releases/${tarball}`).length > 0) fail(`${tarball} is already released`);
  if (!read('packages/sdk/CHANGELOG.md').includes(`\n## ${version}\n`))
    fail(`packages/sdk/CHANGELOG.md has no section ${version}`);
  notes();
}

function bump(): void {
  const { version: before }: { version: string } = JSON.parse(read('package.json'));
  const previous = before.replaceAll('.', '\\.');
  for (const path of [
    'package.json',
    ...globSync(['packages/*/{,src/}package.json', '{proof,bench}/package.json']),
  ])
    edit(path, new RegExp(`("(?:version|@keyport/[a-z-]+)": )"${previous}"`, 'g'), `$1"${version}"`);
  edit('docs/integrating.md', new RegExp(`keyport-sdk-${previous}\\.tgz`, 'g'), tarball);
  const today = new Date().toISOString().slice(0, 10);
  edit('CHANGELOG.md', `## ${version} (unreleased)`, `## ${version} (${today})`);
  edit(
    'docs/interface-changes.md',
    new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(.*`, 'm'),
    `## ${version} (${today})`,
  );
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
  run('npm', 'run', 'openapi');
}

function notes(): string {
  const sections = read('CHANGELOG.md').split(/^## /m);
  const section = sections.find((one) => one.startsWith(`${version} (`));
  const text = section?.slice(section.indexOf('\n')).trim();
  return text || fail(`CHANGELOG.md has no section ${version}`);
}

function writeNotes(): void {
  mkdirSync('reports', { recursive: true });
  writeFileSync(notesFile, `${notes()}\n`);
  console.log(`The notes are in ${notesFile}.`);
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function edit(path: string, pattern: string | RegExp, replacement: string): void {
  writeFileSync(path, read(path).replace(pattern, replacement));
}

function output(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' }).trim();
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'inherit' });
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
