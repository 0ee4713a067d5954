/** The console in a real browser. One service serves a whole file, and one browser all files of a worker. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MemberRole, Role } from '@keyport/contract/roles';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { workerBrowser } from '../../../server/test/support/browser.ts';
import { type Owner, onEnd } from '../../../server/test/support/database.ts';
import type { Harness } from '../../../server/test/support/harness.ts';
import { type Person, seedMember, seedPerson } from '../../../server/test/support/person.ts';

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a screen and waits for its heading. */
  go(path: string): Promise<void>;
  /** Fails if the page has reported an error since the last call, or sent a request to another host. */
  expectQuiet(except?: RegExp): void;
};

export type VisitOptions = {
  readonly app?: 'console' | 'portal';
  readonly role?: Role;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly locale?: string;
  readonly zone?: string;
  /** Another URL of the service. */
  readonly url?: string;
};

export function openConsole(h: Harness) {
  return {
    /** A new browser context with the session of an operator with this role. It ends with its owner. */
    async visit(owner: Owner, path: string, options: VisitOptions = {}): Promise<Visit> {
      const { role = 'admin', url = h.url } = options;
      const visit = await newVisit(owner, h, options);
      await addSession(visit, await seedPerson(h, role), url);
      await visit.go(path);
      return visit;
    },
    /** A new browser context with the session of a member of this account, in the portal. */
    async visitPortal(
      owner: Owner,
      path: string,
      member: { readonly accountId: string; readonly role: MemberRole },
      options: Omit<VisitOptions, 'role' | 'app'> = {},
    ): Promise<Visit> {
      const visit = await newVisit(owner, h, { ...options, app: 'portal' });
      await addSession(visit, await seedMember(h, member, member.role), options.url ?? h.url);
      await visit.go(path);
      return visit;
    },
    /** Opens a browser context without a session. */
    open: (owner: Owner, options: VisitOptions = {}) => newVisit(owner, h, options),
  };
}

async function addSession({ context }: Visit, { cookie }: Person, url: string): Promise<void> {
  const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(cookie) ?? [];
  await context.addCookies([{ name, value, url }]);
}

/** With an old build, tests would wait for texts that never appear. */
function expectCurrentBuild(): void {
  const root = join(import.meta.dirname, '../..');
  const toTime = (path: string) => statSync(join(root, path)).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { encoding: 'utf8', recursive: true });
  const changedMs = Math.max(...sources.map((name) => toTime(`src/${name}`)));
  ok(
    changedMs <= toTime('dist/console/index.html'),
    'the console is older than its sources; run `npm run prepare`',
  );
}

async function newVisit(owner: Owner, h: Harness, options: VisitOptions): Promise<Visit> {
  const { scheme = 'light', width = 1280, locale = 'en-GB', zone = 'Europe/Berlin' } = options;
  const { url = h.url, app = 'console' } = options;
  expectCurrentBuild();
  const context = await (await workerBrowser()).newContext({
    colorScheme: scheme,
    viewport: { width, height: 800 },
    timezoneId: zone,
    locale,
    reducedMotion: 'reduce',
  });
  onEnd(owner, () => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  return {
    page,
    context,
    async go(path) {
      await page.goto(`${url}/${app}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    expectQuiet: (except) =>
      deepEqual(
        problems.splice(0).filter((problem) => !except?.test(problem)),
        [],
      ),
  };
}

/** Checks the accessibility of the loaded page with axe. */
export async function expectAccessible(page: Page, options: { runOnly?: string[] } = {}): Promise<void> {
  await waitUntilLoaded(page);
  // The debugger runs this, which no content policy blocks.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (options) => {
    type Axe = { run(options: object): Promise<{ violations: AxeViolation[] }> };
    type AxeViolation = { id: string; nodes: { html: string; failureSummary: string }[] };
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(options);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`,
    );
  }, options);
  equal(violations.join('\n\n'), '');
}

/** Half of an ordinary screen, as at 200 % zoom, a phone, and the smallest one. */
const NARROW_WIDTHS = [640, 390, 320];

/** On narrow screens, the page is as wide as the window, cuts off no text, and has no axe violation. */
export async function expectFits(page: Page): Promise<void> {
  const before = page.viewportSize();
  const misfits: string[] = [];
  for (const width of NARROW_WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    let found = await page.evaluate(findMisfits);
    // Charts measure their place and are drawn again a few frames later.
    for (let frames = 0; found.length > 0 && frames < 30; frames += 1) {
      await page.evaluate(() => new Promise(requestAnimationFrame));
      found = await page.evaluate(findMisfits);
    }
    misfits.push(...found.map((misfit) => `${width}: ${misfit}`));
    await expectAccessible(page);
  }
  if (before !== null) await page.setViewportSize(before);
  deepEqual(misfits, []);
}

/** Runs in the page. */
function findMisfits(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const misfits = scrollWidth > clientWidth ? [`The page is ${scrollWidth} wide.`] : [];
  const toName = (element: Element) => element.outerHTML.slice(0, 160);
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const box = element.getBoundingClientRect();
    // Text in fields scrolls; elements only for screen readers, such as table heads, are a pixel high.
    // So does a row of tabs.
    const isLeftOut =
      element.matches('input, select, textarea, svg, svg *, .skip, [role="tablist"] *, .views *, .tabs *') ||
      box.height <= 1;
    if (isLeftOut || element.closest('thead') !== null || !element.checkVisibility()) continue;
    if (box.width > 0 && (box.right > clientWidth + 1 || box.left < -1))
      misfits.push(`From ${Math.round(box.left)} to ${Math.round(box.right)}: ${toName(element)}`);
    const isClipped = ['hidden', 'clip'].includes(getComputedStyle(element).overflowX);
    if (isClipped && element.textContent !== '' && element.scrollWidth > element.clientWidth + 1)
      misfits.push(`Cut off: ${toName(element)}`);
  }
  return misfits;
}

/** Waits until nothing is loading or faded because it is being reloaded. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('.loading, [aria-busy="true"], [data-stale="true"]') === null,
  );
}
