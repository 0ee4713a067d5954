import { plural } from '../texts.ts';

export const texts = {
  importRun: (id: string) => `Import ${id}`,
  empty: 'Nothing has been recorded yet.',
  chain: 'Status of the log',
  checkChain: 'Check the log',
  chainHint: 'Reads the whole log and detects entries that were removed, changed or moved.',
  chainWhole: (checked: number) => `${plural(checked, 'entry is', 'entries are')} unchanged.`,
  chainBroken: (count: number) =>
    `${plural(count, 'place in the log differs', 'places in the log differ')} from the original`,
  head: 'head of the log',
} as const;
