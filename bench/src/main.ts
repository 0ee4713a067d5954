/**
 * Measures the figures that docs/performance.md demands, all or the named ones: `npm run bench -- orders start`. Fails if a
 * demand is missed. `--products` tries a benchmark at another size of the catalogue.
 */
import { parseArgs } from 'node:util';
import { benchCatalogue, benchImported } from './catalogue.ts';
import { benchOperatorLists } from './operator-lists.ts';
import { benchOrders } from './orders.ts';
import { benchStart } from './start.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES: Readonly<Record<string, (products?: number) => Promise<void>>> = {
  orders: benchOrders,
  catalogue: benchCatalogue,
  'catalogue-imported': benchImported,
  start: benchStart,
  webhooks: benchWebhooks,
  'operator-lists': benchOperatorLists,
};

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { products: { type: 'string' } },
});
const products = values.products === undefined ? undefined : Number(values.products);
const isSize = products === undefined || (Number.isSafeInteger(products) && products > 0);
if (!isSize || wanted.some((name) => BENCHES[name] === undefined)) {
  console.error(`npm run bench -- [--products N] [NAME…], with names of ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(BENCHES))
  if (wanted.length === 0 || wanted.includes(name)) await run(products);
