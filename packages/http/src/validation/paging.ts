export type Paging = { readonly page: number; readonly itemsPerPage: number };

const ITEMS_PER_PAGE_DEFAULT = 100;

export function toPaging(query: {
  readonly page?: number | undefined;
  readonly itemsPerPage?: number | undefined;
}): Paging {
  return { page: query.page ?? 1, itemsPerPage: query.itemsPerPage ?? ITEMS_PER_PAGE_DEFAULT };
}

export function computeOffset({ page, itemsPerPage }: Paging): number {
  return (page - 1) * itemsPerPage;
}
