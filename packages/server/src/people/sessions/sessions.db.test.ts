/** A241: requests with such a cookie are served however busy the service is. */
import { deepEqual, equal } from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test, vi } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { AUDIENCES } from '../audiences.ts';
import { createSessions } from './sessions.ts';
import { issueToken } from './tokens.ts';

const HOUR_MS = 3_600_000;

test('a cookie is valid for 12 hours, and no tampering extends it', async (t) => {
  t.onTestFinished(() => void vi.useRealTimers());
  const key = createSecretKey(randomBytes(32));
  const publicUrl = () => 'http://127.0.0.1';
  const sessions = createSessions({
    database: await testDatabase(t),
    key,
    publicUrl,
    ways: { isLocal: true, isOidc: false },
    audience: AUDIENCES.operator,
  });
  const counts = (token: string) => {
    const request = new IncomingMessage(new Socket());
    request.headers.cookie = `keyport_session=${token}`;
    return sessions.isOurs(request);
  };
  const { text } = issueToken(key, 'session');
  const nowMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  const countsAfter = (hours: number) => {
    vi.setSystemTime(nowMs + hours * HOUR_MS);
    return counts(text);
  };
  deepEqual([0, 11.9, 12.1, 1_000, -1].map(countsAfter), [true, true, false, false, false]);
  vi.setSystemTime(nowMs + 13 * HOUR_MS);
  const bytes = Buffer.from(text, 'base64url');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index);
    equal(counts(changed.toString('base64url')), false, `byte ${index}`);
  }
  equal(counts(issueToken(createSecretKey(randomBytes(32)), 'session').text), false);
  equal(counts(issueToken(key, 'link').text), false);
});
