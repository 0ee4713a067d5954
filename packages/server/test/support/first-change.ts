/** "Your first change" of CONTRIBUTING.md: its text, and the lines that it adds to files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

const DIFF = /^```diff\n (\S+)\n(.*?)^```$/gms;

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

/** Lines without a sign are already in the file; lines with a plus must be added. */
function readStep(path: string, diff: string): Step {
  const lines = diff.split('\n').slice(0, -1);
  const toText = (chosen: readonly string[]) => chosen.map((line) => `${line.slice(1)}\n`).join('');
  return { path, before: toText(lines.filter((line) => !line.startsWith('+'))), after: toText(lines) };
}
