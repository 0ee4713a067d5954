/** "Your first change" of CONTRIBUTING.md: its text, and the lines that it adds to files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

const DIFF = /^```diff\n (\S+)\n(.*?)^```$/gms;

/** `before` stands in the file at `path`, and `after` in its place once the step is done. */
export type Step = { readonly path: string; readonly before: string; readonly after: string };

export async function readFirstChange(): Promise<{
  readonly guide: string;
  readonly steps: readonly Step[];
}> {
  const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const [guide = ''] = /^## Your first change.*?(?=^## )/ms.exec(text) ?? [];
  return {
    guide,
    steps: Array.from(guide.matchAll(DIFF), ([, path = '', diff = '']) => readStep(path, diff)),
  };
}

/** The lines without a sign stand in the file already; those with a plus are to be added. */
function readStep(path: string, diff: string): Step {
  const lines = diff.split('\n').slice(0, -1);
  const textOf = (chosen: readonly string[]) => chosen.map((line) => `${line.slice(1)}\n`).join('');
  return { path, before: textOf(lines.filter((line) => !line.startsWith('+'))), after: textOf(lines) };
}
