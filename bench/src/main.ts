/**
 * Runs every benchmark, or those named: `npm run bench -- catalogue orders`. `--products` is the size of the catalogue
 * or of the import's files.
 */
import { parseArgs } from 'node:util';
import { benchCatalogue, benchCatalogueImported } from './catalogue/catalogue.ts';
import { benchImport } from './catalogue/import.ts';
import { benchOperatorLists } from './operator-lists.ts';
import { benchOrders } from './orders/orders.ts';
import { benchOrdersEmbedded } from './orders/orders-embedded.ts';
import { benchOverload } from './orders/overload.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES: Readonly<Record<string, (size: { products?: number }) => Promise<void>>> = {
  catalogue: benchCatalogue,
  'catalogue-imported': benchCatalogueImported,
  orders: benchOrders,
  'orders-embedded': benchOrdersEmbedded,
  import: benchImport,
  'operator-lists': benchOperatorLists,
  overload: benchOverload,
  webhooks: benchWebhooks,
};

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { products: { type: 'string' } },
});
const size = values.products === undefined ? {} : { products: Number(values.products) };
for (const name of wanted) {
  if (BENCHES[name] === undefined) {
    console.error(`There is no benchmark ${name}; there are ${Object.keys(BENCHES).join(', ')}.`);
    process.exit(2);
  }
}
for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await run(size);
}
