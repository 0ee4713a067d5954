/** A bar at the top of the page, so that every click shows at once that something is in progress. */
import { createStore } from './store.ts';

const count = createStore(0);

/** Shows the bar until the work ends. */
export async function busy<T>(work: Promise<T>): Promise<T> {
  count.set(count.get() + 1);
  try {
    return await work;
  } finally {
    count.set(count.get() - 1);
  }
}

export function BusyBar() {
  return count.use() === 0 ? null : <div className="busy" aria-hidden="true" />;
}
