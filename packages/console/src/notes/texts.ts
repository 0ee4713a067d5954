import { common, isolated } from '../texts.ts';

export const texts = {
  notes: {
    title: 'Notes',
    timeline: 'Timeline',
    note: 'Note',
    none: 'No notes yet.',
    add: 'Add a note',
    hint: `Only operators see notes. ${common.noKeys}`,
    withdraw: 'Withdraw',
    withdrawOf: (author: string, text: string) =>
      `Withdraw the note by ${isolated(author)}: ${isolated(text.slice(0, 40))}`,
  },
} as const;
