/** An operator without a mouse, who presses keys and sees what has the focus. */
import { ok } from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** More tabs than any screen needs from its heading to its last element. */
const TABS_MAX = 60;

export type Keyboard = ReturnType<typeof toKeyboard>;

export function toKeyboard(page: Page) {
  const { keyboard } = page;
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  // A dialog may have the same name as a field.
  const field = (label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator('input, select, textarea'));
  const tabTo = async (target: Locator) => {
    for (let count = 0; count < TABS_MAX; count += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${target} has no focus after ${TABS_MAX} tabs`);
  };
  return {
    async press(...keys: readonly string[]): Promise<void> {
      for (const key of keys) await keyboard.press(key);
    },
    type: (text: string) => keyboard.type(text),
    seeButton: (name: string) => button(name).waitFor(),
    see: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    /** Replaces the content of the field. */
    async fill(label: string, text: string): Promise<void> {
      await tabTo(field(label));
      await keyboard.press('Control+a');
      await keyboard.type(text);
    },
    choose: (label: string) => tabTo(field(label)),
    chooseFirst: (role: 'checkbox') => tabTo(page.getByRole(role).first()),
    /** Chooses the only option that a search field found. */
    async pick(name: string): Promise<void> {
      await page.getByRole('option', { name, exact: true }).waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[role="option"]').length === 1);
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
    },
    /** Opens a collapsed part of a form. */
    async open(title: string): Promise<void> {
      await tabTo(page.locator('summary', { hasText: title }));
      await keyboard.press('Enter');
    },
    async act(name: string | RegExp): Promise<void> {
      await tabTo(button(name));
      await keyboard.press('Enter');
    },
    /** Submits when the preview in the dialog is current. */
    async submit(name: string): Promise<void> {
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name, exact: true, disabled: false }).waitFor();
      await page.locator('[role="dialog"] form:not(:has([data-stale="true"]))').waitFor();
      await keyboard.press('Control+Enter');
      await dialog.waitFor({ state: 'hidden' });
      await expectFocus(page);
    },
    async openRow(): Promise<void> {
      await page.locator('[data-row-key]').first().waitFor();
      await keyboard.press('j');
      await keyboard.press('Enter');
    },
    async selectRows(count: number): Promise<void> {
      await page
        .locator('[data-row-key]')
        .nth(count - 1)
        .waitFor();
      for (let row = 0; row < count; row += 1) {
        await keyboard.press('j');
        await keyboard.press('x');
      }
    },
    async chooseFile(label: string, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
      // Added before tabbing: without a listener, the browser opens a file chooser that no one sees.
      const choosing = page.waitForEvent('filechooser');
      await tabTo(page.getByLabel(label));
      await keyboard.press('Enter');
      await (await choosing).setFiles(file);
    },
    expectFocus: () => expectFocus(page),
  };
}

/** When a dialog closes, an element must get the focus; otherwise, Tab starts from the top. */
async function expectFocus(page: Page): Promise<void> {
  ok(await page.waitForFunction(() => document.activeElement !== document.body));
}
