import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Harness } from './harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: as the bodies of the harness
export async function readList(h: Harness, path: string, limit = 2, token = h.operatorToken): Promise<any[]> {
  const all = [];
  let cursor = '';
  for (;;) {
    const separator = path.includes('?') ? '&' : '?';
    const { status, body } = await h.call('GET', `/admin/v1${path}${separator}limit=${limit}${cursor}`, {
      token,
    });
    equal(status, 200, JSON.stringify(body));
    ok(body.data.length <= limit);
    all.push(...body.data);
    equal(body.meta.hasMore, body.meta.nextCursor !== null);
    if (!body.meta.hasMore) break;
    cursor = `&cursor=${body.meta.nextCursor}`;
  }
  const texts = all.map((element) => JSON.stringify(element));
  deepEqual(texts, [...new Set(texts)], `${path} has an element twice`);
  return all;
}
