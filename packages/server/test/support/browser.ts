import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
export const NEEDS_BROWSER = { skip: !existsSync(CHROMIUM) };
/** Without these flags the browser phones home. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const BROWSER = { executablePath: CHROMIUM, args: CHROMIUM_ARGS };

let started: Promise<Browser> | undefined;

/** All files of a worker use one browser, which ends with the worker's process; each visit has its own context. */
export function workerBrowser(): Promise<Browser> {
  started ??= chromium.launch(BROWSER);
  return started;
}

export async function openPage(
  t: TestContext,
): Promise<{ page: Page; requested: string[]; problems: string[] }> {
  const context = await (await workerBrowser()).newContext();
  t.onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const requested: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, requested, problems };
}
