/** Runs every benchmark, or those named: `npm run bench -- catalogue orders`. */
import { benchCatalogue } from './catalogue.ts';
import { benchHistory } from './history.ts';

import { benchOrders } from './orders.ts';
import { benchOrdersEmbedded } from './orders-embedded.ts';
import { benchOrdersGrown } from './orders-grown.ts';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  catalogue: benchCatalogue,
  orders: benchOrders,
  'orders-embedded': benchOrdersEmbedded,
  'orders-grown': benchOrdersGrown,
  history: benchHistory,
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (BENCHES[name] === undefined) {
    console.error(`There is no benchmark ${name}; there are ${Object.keys(BENCHES).join(', ')}.`);
    process.exit(2);
  }
}
for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await run();
}
