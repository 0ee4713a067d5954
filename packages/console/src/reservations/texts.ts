import { plural } from '../texts.ts';

export const texts = {
  title: 'Active reservations',
  empty: 'No active reservations.',
  release: 'Release',
  releaseTitle: (id: string) => `Release reservation ${id}`,
  says: (units: number) => `${plural(units, 'unit goes', 'units go')} back to stock.`,
  done: 'Reservation released',
} as const;
