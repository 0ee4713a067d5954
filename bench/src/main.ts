/**
 * Runs all benchmarks, or the named ones: `npm run bench -- catalogue orders`. `--products` is the size of
 * the catalogue or of the import files.
 */
import { parseArgs } from 'node:util';
import { benchCatalogue, benchCatalogueImported } from './catalogue/catalogue.ts';
import { benchImport } from './catalogue/import.ts';
import { benchConsole } from './console.ts';
import { benchOperatorLists } from './operator-lists.ts';
import { benchOrders } from './orders/orders.ts';
import { benchOrdersEmbedded } from './orders/orders-embedded.ts';
import { benchOverload } from './orders/overload.ts';
import { benchStart } from './start.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES: Readonly<Record<string, (size: { products?: number }) => Promise<void>>> = {
  catalogue: benchCatalogue,
  'catalogue-imported': benchCatalogueImported,
  console: benchConsole,
  orders: benchOrders,
  'orders-embedded': benchOrdersEmbedded,
  import: benchImport,
  'operator-lists': benchOperatorLists,
  overload: benchOverload,
  start: benchStart,
  webhooks: benchWebhooks,
};

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { products: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
});
const usage = `npm run bench -- [--products N] [NAME…]: all benchmarks, or some of ${Object.keys(BENCHES).join(', ')}`;
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const products = values.products === undefined ? undefined : Number(values.products);
if (products !== undefined && !(Number.isSafeInteger(products) && products > 0))
  fail('--products must be a number above 0');
for (const name of wanted) if (BENCHES[name] === undefined) fail(`There is no benchmark ${name}.`);
const size = products === undefined ? {} : { products };
for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await run(size);
}

function fail(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}
