import assert from 'node:assert/strict';
import { type ClientCredentials, OPERATOR } from '../../packages/server/test/support/killable-service.ts';
import { Connections, type Request, type Response, type SendOptions, toWire } from './http.ts';

export { OPERATOR };

const connections = new Connections();
const LINES_A_TIME = 50_000;

export function toPort(url: string): number {
  return Number(new URL(url).port);
}

export function call(url: string, request: Request, options?: SendOptions): Promise<Response> {
  return connections.send(toPort(url), toWire(request), options);
}

export async function fetchToken(
  url: string,
  client: ClientCredentials,
  options?: SendOptions,
): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client }).toString();
  const contentType = 'application/x-www-form-urlencoded';
  const response = await call(url, { method: 'POST', path: '/oauth/token', body, contentType }, options);
  assert.equal(response.status, 200, response.text());
  return response.json().access_token;
}

/** Returns the data. `body` is the text of an import, or becomes JSON. */
export async function operate(
  url: string,
  method: string,
  path: string,
  body?: string | object,
  options?: SendOptions,
) {
  const token = await fetchToken(url, OPERATOR, options);
  const content =
    body === undefined
      ? {}
      : typeof body === 'string'
        ? { body, contentType: 'application/x-ndjson' }
        : { body: JSON.stringify(body) };
  const response = await call(url, { method, path: `/admin/v1${path}`, token, ...content }, options);
  const isDone = response.status >= 200 && response.status < 300;
  assert.ok(isDone, `${method} ${path}: ${response.status} ${response.text().slice(0, 500)}`);
  return response.json()?.data;
}

/** May be repeated with the same lines. Throws unless every line is accepted. */
export async function importLines(
  url: string,
  kind: 'sellers' | 'products' | 'offers' | 'keys',
  lines: readonly object[],
  options?: SendOptions,
): Promise<void> {
  for (let start = 0; start < lines.length; start += LINES_A_TIME) {
    const some = lines.slice(start, start + LINES_A_TIME).map((line) => JSON.stringify(line));
    const result = await operate(url, 'POST', `/imports/${kind}`, some.join('\n'), options);
    assert.equal(result.rejected, 0, JSON.stringify(result).slice(0, 500));
  }
}
