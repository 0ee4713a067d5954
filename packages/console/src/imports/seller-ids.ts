import { plain } from '@keyport/import/values';
import { useLive } from '../api/queries.ts';
import type { SellerIds } from './mapping.ts';

const PAGE = 1000;

export function useSellerIds(isNeeded: boolean) {
  return useLive(
    ['seller-ids'],
    async (client, signal): Promise<SellerIds> => {
      const ids = new Map<string, string>();
      const shared = new Set<string>();
      let cursor: string | undefined;
      do {
        const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
        const { data, meta } = await client.listSellers({ query }, { signal });
        for (const { id, name } of data) {
          const key = plain(name);
          if (ids.has(key)) shared.add(key);
          ids.set(key, id);
        }
        cursor = meta.nextCursor ?? undefined;
      } while (cursor !== undefined);
      // Two sellers share the name, so it identifies neither.
      for (const key of shared) ids.delete(key);
      return ids;
    },
    { enabled: isNeeded },
  );
}
