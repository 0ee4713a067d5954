/**
 * Header lines as they were sent. Node keeps the first of two Authorization or Content-Type lines and drops the other
 * without a word; what decides over identity or parsing is counted here instead (A14).
 */
import type { IncomingMessage } from 'node:http';

/** `name` in lower case. */
export function countHeaderLines({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const line = rawHeaders[index];
    if (line !== undefined && line.length === name.length && line.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Whether it can be a Host header: `host` or `host:port`, where the host may be left out (RFC 9112 section 3.2). */
export function isHost(value: string): boolean {
  return /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[A-Za-z0-9.:]+\])(?::[0-9]{0,5})?$/.test(value);
}

/** The same headers by name. */
export function byName(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < lines.length; index += 2) headers[lines[index] ?? ''] = lines[index + 1] ?? '';
  return headers;
}
