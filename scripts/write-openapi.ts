/**
 * Writes the OpenAPI documents, the types of the SDK and the generated part of the PHP library. With --check it writes
 * only the types, and exits with 1 if a file differs or the linter reports anything.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '@keyport/contract/openapi/document';
import { buildPhpContract } from './php-contract.ts';
import { writeSdkContract } from './sdk-contract.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENTS = { reseller: 'docs/openapi.json', operator: 'docs/openapi-operators.json' } as const;

const manifest: { version: string } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const render = (audience: keyof typeof DOCUMENTS) =>
  `${JSON.stringify(buildOpenApi({ version: manifest.version, audience }), null, 2)}\n`;
const texts: Readonly<Record<string, string>> = {
  [DOCUMENTS.reseller]: render('reseller'),
  [DOCUMENTS.operator]: render('operator'),
  ...buildPhpContract(JSON.parse(render('reseller')), manifest.version),
};

writeSdkContract();
if (process.argv.includes('--check')) {
  const stale = Object.entries(texts).filter(([file, text]) => readIfThere(ROOT + file) !== text);
  for (const [file] of stale) {
    console.error(`${file} differs from the contract. Run \`npm run openapi\` and commit the file.`);
  }
  const isClean = stale.length === 0 && Object.values(DOCUMENTS).every(lint);
  process.exitCode = isClean ? 0 : 1;
} else {
  mkdirSync(`${ROOT}clients/php/src/Resources`, { recursive: true });
  for (const [file, text] of Object.entries(texts)) writeFileSync(ROOT + file, text);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Redocly's recommended rules; a warning counts too. Redocly's network calls are disabled. */
function lint(file: string): boolean {
  const linter = `${ROOT}node_modules/@redocly/cli/bin/cli.js`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [linter, 'lint', file, '--format=json'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const isClean = status === 0 && JSON.parse(stdout).problems.length === 0;
  if (!isClean) console.error(stdout, stderr);
  return isClean;
}
