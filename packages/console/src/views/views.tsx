import { Button } from '@mantine/core';
import { type ListName, useRead } from '../api/queries.ts';
import { texts } from '../lists/texts.ts';
import { type Search, stringifySearch } from '../places.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { useUrl } from '../url.ts';

const ViewsMenu = lazyPart(async () => (await import('./views-menu.tsx')).ViewsMenu);

/** URL parameters that a view does not keep. */
const PLACE = ['cursor', 'page', 'peek', 'sel'];

export function Views({ list }: { readonly list: ListName }) {
  const { search } = useUrl();
  const { data: views = [] } = useRead('listViews', { query: { list } });
  const current = toView(search);
  const open = views.find((view) => view.search === current);
  return (
    <Opener
      button={(opener) => (
        <Button variant="subtle" rightSection={<Icon name="down" size={12} />} {...opener}>
          {open === undefined ? texts.views.title : texts.views.open(open.name)}
        </Button>
      )}
      menu={(menu) => <ViewsMenu {...menu} list={list} views={views} current={current} open={open} />}
    />
  );
}

function toView(search: Search): string {
  const kept = Object.entries(search).filter(([name]) => !PLACE.includes(name));
  const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return stringifySearch(Object.fromEntries(sorted)).slice(1);
}
