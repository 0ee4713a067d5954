import { equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { buildOpenApi } from './document.ts';
import { buildLlmsText, listOperations } from './llms.ts';

const serverUrl = 'https://keyport.example';
const document = buildOpenApi({ serverUrl, version: '1.2.3', audience: 'reseller' });

test('llms.txt has the format of llmstxt.org, the rules, every document and every operation', () => {
  const text = buildLlmsText(document);
  match(text, /^# [^\n]+\n\n> [^\n]+/);
  equal(text.match(/^# /gm)?.length, 1);
  for (const { method, path } of listOperations(document))
    ok(text.includes(`- [${method} ${path}](${serverUrl}/openapi.json#`), path);
  for (const page of ['guide', 'webhooks', 'sdk', 'errors', 'changelog'])
    ok(text.includes(`](${serverUrl}/docs/${page})`), page);
  match(text, /Idempotency-Key/);
});
