import { equal, match, ok } from 'node:assert/strict';

export async function scrape(url: string | undefined): Promise<string> {
  ok(url !== undefined, 'the service serves its metrics');
  const response = await fetch(url);
  equal(response.status, 200);
  match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return response.text();
}

export function toSample(text: string, line: string): number {
  const found = text.split('\n').filter((each) => each.startsWith(`${line} `));
  equal(found.length, 1, `${line} in\n${text}`);
  return Number(found[0]?.slice(line.length + 1));
}

export function toNames(text: string): Map<string, string> {
  const lines = text.matchAll(/^# TYPE (\w+) (\w+)$/gm);
  return new Map(Array.from(lines, ([, name = '', type = '']) => [name, type]));
}
