import type { Platform } from '../platform.ts';
import type { Stock } from '../stock/feature.ts';
import { buildListingHandlers } from './listings.routes.ts';

export function openListings(
  { config, database, publicUrl }: Platform,
  stock: Stock,
  onCatalogueChanged: () => void,
) {
  const { lowStockUnits } = config;
  return {
    handlers: buildListingHandlers({ database, stock, onCatalogueChanged, publicUrl, lowStockUnits }),
  };
}
