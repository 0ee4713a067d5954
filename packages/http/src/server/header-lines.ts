/** Node's `headers` parses all headers, and drops a second Authorization. */
import type { IncomingMessage } from 'node:http';

export type HeaderLines = readonly string[];

export type LinesFor = (url: string | undefined) => HeaderLines;

export type CommonRequestHeaders = {
  host?: string;
  authorization?: string;
  hasSeveralAuthorizations?: true;
  transferEncoding?: string;
  upgrade?: string;
  traceparent?: string;
  ifNoneMatch?: string;
  acceptEncoding?: string;
  keyportScenario?: string;
};

export function readHeaders(rawHeaders: HeaderLines): CommonRequestHeaders {
  const headers: CommonRequestHeaders = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1] ?? '';
    switch (lowerCase(rawHeaders[index] ?? '')) {
      case 'host':
        headers.host = join(headers.host, value);
        break;
      case 'authorization':
        if (headers.authorization === undefined) headers.authorization = value;
        else headers.hasSeveralAuthorizations = true;
        break;
      case 'transfer-encoding':
        headers.transferEncoding = join(headers.transferEncoding, value);
        break;
      case 'upgrade':
        headers.upgrade = join(headers.upgrade, value);
        break;
      case 'traceparent':
        headers.traceparent = join(headers.traceparent, value);
        break;
      case 'if-none-match':
        headers.ifNoneMatch = join(headers.ifNoneMatch, value);
        break;
      case 'accept-encoding':
        headers.acceptEncoding = join(headers.acceptEncoding, value);
        break;
      case 'keyport-scenario':
        headers.keyportScenario = join(headers.keyportScenario, value);
        break;
    }
  }
  return headers;
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

/** Keyed by the client's spelling, so that common names are converted only once. */
const lowerCaseNames = new Map<string, string>();
const NAMES_KEPT_MAX = 200;

function lowerCase(name: string): string {
  const known = lowerCaseNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerCaseNames.size < NAMES_KEPT_MAX) lowerCaseNames.set(name, lower);
  return lower;
}

export function countHeaderLines({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const line = rawHeaders[index];
    if (line !== undefined && line.length === name.length && line.toLowerCase() === name) count += 1;
  }
  return count;
}

/** The host may be empty (RFC 9112 section 3.2). */
export function isHost(value: string): boolean {
  return /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[A-Za-z0-9.:]+\])(?::[0-9]{0,5})?$/.test(value);
}

export function byName(lines: HeaderLines): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < lines.length; index += 2) headers[lines[index] ?? ''] = lines[index + 1] ?? '';
  return headers;
}
