export const texts = {
  notes: {
    title: (count: number, hasMore: boolean) =>
      count === 0 ? 'Notes' : `Notes (${count}${hasMore ? '+' : ''})`,
    none: 'No notes yet.',
    add: 'Add a note',
    hint: 'Only operators see notes. Type @ to mention one. Never enter a product key.',
    people: 'Operators to mention',
    withdraw: 'Withdraw',
    withdrawOf: (author: string, text: string) => `Withdraw the note by ${author}: ${text.slice(0, 40)}`,
  },
  assignee: {
    label: 'Assignee',
    none: 'No assignee',
    choices: { me: 'Assigned to you', none: 'No assignee' },
    you: (name: string) => `${name} (you)`,
    take: 'Assign to me',
    takeShort: 'Take',
    takeRow: (id: string) => `Take ${id}`,
    isYours: 'Assigned to you',
    changed: 'Assignee changed',
  },
} as const;
