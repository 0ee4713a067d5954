/** A590. */
import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { testEngine } from '../../support/database.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { someEmail } from '../../support/person.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { skipBecause } from '../../support/vitest.ts';

test('a node that stops while a mail server is silent ends immediately, and another node sends', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine serves one process');
  const server = await startMailServer(t);
  const settings = { KEYPORT_SMTP_URL: server.url, KEYPORT_MAIL_FROM: 'keyport@marketplace.example' };
  const { h, nodes } = await startTwoNodes(t, settings);
  const silence = server.fallSilent();
  const email = someEmail();
  await h.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  void nodes[1].notifyOperators();
  await silence;
  const startedAtMs = performance.now();
  await nodes[1].close();
  const tookMs = performance.now() - startedAtMs;
  ok(tookMs < 5_000, `closing took ${tookMs} ms`);
  server.reject(undefined);
  await h.service.notifyOperators();
  equal(server.received.length, 1);
  await h.service.noteIncidents();
  equal((await h.operate('GET', '/incidents?kind=notification')).length, 0);
});
