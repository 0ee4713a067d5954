import { formatCount, isolated, plural } from '../texts.ts';

export const texts = {
  table: {
    newer: 'Newer',
    pages: 'Pages',
    selectAll: 'Select all rows on this page',
    selectRow: (name: string) => `Select ${isolated(name)}`,
    clearFilters: 'Clear all',
    removeFilter: (name: string) => `Remove the filter ${isolated(name)}`,
    to: 'To',
    any: (label: string) => `${label}: any`,
    actions: 'Actions',
    more: 'More',
    moreActions: (first: string) => `More actions besides “${first}”`,
    columns: 'Columns',
    filter: 'Filter',
    days: (from = '', to = '') =>
      from === to ? from : from === '' ? `until ${to}` : to === '' ? `from ${from}` : `${from} – ${to}`,
    isCompact: 'Compact rows',
    tabs: 'Views',
    count: (count: number, isAtLeast: boolean) => `${formatCount(count)}${isAtLeast ? '+' : ''}`,
  },
  months: {
    presets: 'Ranges',
    last30: 'Last 30 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
  },
  selection: {
    all: 'Select all that match',
    collecting: (count: number) => `${plural(count, 'match', 'matches')} found …`,
    matches: (count: number) => `${plural(count, 'match', 'matches')} selected`,
    most: (most: number) => `These are the first ${plural(most, 'match', 'matches')}.`,
  },
  views: {
    of: (name: string, owner: string) => `${isolated(name)} (${isolated(owner)})`,
    save: 'Save view',
    saveNow: 'Save',
    replace: 'Replace',
    saved: (name: string) => `View ${isolated(name)} saved`,
    delete: (name: string) => `Delete ${isolated(name)}`,
  },
  steps: { previous: 'Previous', next: 'Next' },
  openPage: 'Open page',
  row: {
    open: (row: string) => `Open ${isolated(row)}`,
    look: (row: string) => `Peek at ${isolated(row)}`,
    select: (row: string) => `Select ${isolated(row)}`,
    unselect: (row: string) => `Deselect ${isolated(row)}`,
  },
} as const;
