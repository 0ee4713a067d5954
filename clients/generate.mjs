/**
 * Generates clients from an OpenAPI document: `node generate.mjs DOCUMENT`. The output of @hey-api/openapi-ts and
 * openapi-typescript goes into the folder `generated`. First Spectral checks the document against its OpenAPI rules:
 * a finding of any severity ends the script with status 1.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import openapiTypescript, { astToString } from 'openapi-typescript';

const document = JSON.parse(await readFile(process.argv[2], 'utf8'));
const generated = fileURLToPath(new URL('generated/', import.meta.url));

const spectral = new spectralCore.Spectral();
// Its example check recompiles every schema, which takes 90 seconds; document.test.ts validates all examples.
const rules = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' };
spectral.setRuleset({ extends: [spectralRulesets.oas], rules });
const findings = await spectral.run(document);
for (const { code, message, path } of findings) console.error(`${code}: ${message} (${path.join(' ')})`);
if (findings.length > 0) process.exit(1);

await mkdir(generated, { recursive: true });
await writeFile(`${generated}openapi-typescript.ts`, astToString(await openapiTypescript(document)));
await createClient({
  input: document,
  output: { path: `${generated}hey-api`, importFileExtension: '.ts' },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'warn', file: false },
});
