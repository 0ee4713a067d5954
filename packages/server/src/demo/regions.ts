/** The regions that demo products are locked to, with what a region changes: price level and age rating. */

export type Region = {
  /** As in ProductDetail.region; names of products carry it in capitals. */
  readonly name: string;
  /** Factor on the base price: the same key is sold cheaper where incomes are lower. */
  readonly priceFactor: number;
  readonly ratingBoard: 'PEGI' | 'ESRB';
};

export const GLOBAL: Region = { name: 'Global', priceFactor: 1, ratingBoard: 'PEGI' };

export const GAME_REGIONS: readonly (readonly [region: Region, weight: number])[] = [
  [GLOBAL, 30],
  [{ name: 'Europe', priceFactor: 0.96, ratingBoard: 'PEGI' }, 20],
  [{ name: 'North America', priceFactor: 0.98, ratingBoard: 'ESRB' }, 12],
  [{ name: 'United States', priceFactor: 0.95, ratingBoard: 'ESRB' }, 10],
  [{ name: 'United Kingdom', priceFactor: 0.97, ratingBoard: 'PEGI' }, 6],
  [{ name: 'Turkey', priceFactor: 0.62, ratingBoard: 'PEGI' }, 8],
  [{ name: 'Argentina', priceFactor: 0.58, ratingBoard: 'ESRB' }, 6],
  [{ name: 'Latin America', priceFactor: 0.71, ratingBoard: 'ESRB' }, 5],
  [{ name: 'Poland', priceFactor: 0.86, ratingBoard: 'PEGI' }, 3],
];
