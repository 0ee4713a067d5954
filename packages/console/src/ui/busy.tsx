/** A bar at the top of the page, so that every click shows at once that something is in progress. */
import { createStore } from './store.ts';

const count = createStore(0);

/** Shows the bar until the work ends. The work may begin while a component renders, so the bar appears afterwards. */
export async function busy<T>(work: Promise<T>): Promise<T> {
  const add = (by: number) => queueMicrotask(() => count.set(count.get() + by));
  add(1);
  try {
    return await work;
  } finally {
    add(-1);
  }
}

export function BusyBar() {
  return count.use() === 0 ? null : <div className="busy" aria-hidden="true" />;
}
