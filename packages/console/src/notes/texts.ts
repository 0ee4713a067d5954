export const texts = {
  notes: {
    title: (count: number, hasMore: boolean) =>
      count === 0 ? 'Notes' : `Notes (${count}${hasMore ? '+' : ''})`,
    none: 'No notes yet.',
    add: 'Add a note',
    hint: 'Only operators see notes. Never enter a product key.',
    withdraw: 'Withdraw',
    withdrawOf: (author: string, text: string) => `Withdraw the note by ${author}: ${text.slice(0, 40)}`,
  },
} as const;
