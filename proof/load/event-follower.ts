import assert from 'node:assert/strict';
import type { Response } from './http.ts';
import { call } from './operator.ts';
import type { Buyer } from './shop.ts';

type ShownEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly order?: { id: string } };
};

export class EventFollower {
  readonly ids: string[] = [];
  readonly completed: string[] = [];
  cursor: string | undefined;
  /** The next request depends on the response to the one in progress. */
  isBusy = false;

  get path(): string {
    const after = this.cursor === undefined ? '' : `&cursor=${this.cursor}`;
    return `/export/v1/events?limit=100${after}`;
  }

  take(response: Response): boolean {
    if (response.status === 410) {
      // The database was restored: events already seen may be gone.
      this.ids.length = 0;
      this.completed.length = 0;
      this.cursor = undefined;
      return true;
    }
    const { data, meta } = response.json();
    for (const { id, type, data: told } of data as ShownEvent[]) {
      this.ids.push(id);
      if (type === 'order.complete' && told.order !== undefined) this.completed.push(told.order.id);
    }
    this.cursor = meta.nextCursor;
    return meta.hasMore;
  }

  async readToEnd(url: string, { token }: Buyer): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const response = await call(url, { path: this.path, token });
      assert.ok(response.status === 200 || response.status === 410, response.text());
      hasMore = this.take(response);
    }
  }
}
