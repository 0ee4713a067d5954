import { Button } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { type ListName, queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { tabsOf } from '../lists/list-filters.tsx';
import { texts } from '../lists/texts.ts';
import { type Search, stringifySearch } from '../places.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { toastError } from '../ui/toasts.tsx';
import { useUrl } from '../url.ts';

const SaveView = lazyPart(async () => (await import('./save-view.tsx')).SaveView);

/** URL parameters that a view does not keep. */
const PLACE = ['cursor', 'page', 'peek', 'sel'];

/** Saves the filters, order and columns as a view, or deletes the view that is open. Tabs show the views. */
export function Views({ list }: { readonly list: ListName }) {
  const { search } = useUrl();
  const mayDeleteAll = useMay('administer');
  const { data: views = [] } = useRead('listViews', { query: { list } });
  const current = toView(search);
  const open = views.find((view) => view.search === current);
  const isNew =
    open === undefined && !['', ...tabsOf(list).map((tab) => toView(tab.search))].includes(current);
  const remove = (viewId: string) =>
    admin
      .deleteView({ params: { viewId } })
      .then(() => queryClient.invalidateQueries({ queryKey: ['listViews'] }), toastError);
  if (isNew)
    return (
      <Button variant="subtle" onClick={() => openDialog(<SaveView list={list} search={current} />)}>
        {texts.views.save}
      </Button>
    );
  return open !== undefined && (open.own || mayDeleteAll) ? (
    <Button variant="subtle" onClick={() => void remove(open.id)}>
      {texts.views.delete(open.name)}
    </Button>
  ) : null;
}

function toView(search: Search): string {
  const kept = Object.entries(search).filter(([name]) => !PLACE.includes(name));
  const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return stringifySearch(Object.fromEntries(sorted)).slice(1);
}
