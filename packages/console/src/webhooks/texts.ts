export const texts = {
  empty: 'No webhook endpoints yet. Resellers create them through the API.',
} as const;
