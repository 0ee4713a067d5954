export const texts = {
  code: 'Product key',
  hint: 'Case, spaces and dashes do not matter. The code is not stored.',
  submit: 'Find',
  noOrder: 'Not sold',
  found: (code: string, state: string) => `${code}, ${state.toLowerCase()}`,
  read: 'First read',
} as const;
