import { common, isolated } from '../texts.ts';

export const texts = {
  notes: {
    title: (count: number, hasMore: boolean) =>
      count === 0 ? 'Notes' : `Notes (${count}${hasMore ? '+' : ''})`,
    none: 'No notes yet.',
    add: 'Add a note',
    hint: `Only operators see notes. ${common.noKeys}`,
    withdraw: 'Withdraw',
    withdrawOf: (author: string, text: string) =>
      `Withdraw the note by ${isolated(author)}: ${isolated(text.slice(0, 40))}`,
  },
} as const;
