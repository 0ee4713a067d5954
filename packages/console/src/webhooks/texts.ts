export const texts = {
  search: 'Words from the URL, or an id',
  searchLabel: 'Search endpoints',
  empty: 'No webhook endpoints yet. Resellers create them through the API.',
} as const;
