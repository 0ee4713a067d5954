import { ActionIcon } from '@mantine/core';
import { Suspense, use } from 'react';
import type { ListName } from '../api/queries.ts';
import { App } from '../app.ts';
import { usePreferences, useZone } from '../preferences.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { useUrl } from '../url.ts';
import { dayIn } from './days.ts';
import { DownloadButton } from './download-button.tsx';
import { describeFilters, filtersOf } from './list-filters.tsx';
import type { ColumnsProps, Titled } from './list-menus.tsx';
import { FILES, type ListOf } from './list-of.ts';
import { texts } from './texts.ts';

const ColumnsMenu = lazyPart(async () => (await import('./list-menus.tsx')).ColumnsMenu);

export function ListTools<Row>(props: ColumnsProps & { readonly list: ListOf<Row> }) {
  const { list, ...columns } = props;
  const { name, query } = list;
  const { Views } = use(App);
  const { search } = useUrl();
  const zone = useZone();
  const path = FILES[name];
  if (path === undefined) return null;
  return (
    <>
      {Views === undefined || !list.isFiltered ? null : (
        <Suspense>
          <Views list={name} />
        </Suspense>
      )}
      <Opener
        button={(opener) => (
          <ActionIcon
            variant="default"
            size={30}
            aria-label={texts.table.columns}
            title={texts.table.columns}
            {...opener}
          >
            <Icon name="columns" />
          </ActionIcon>
        )}
        menu={(menu) => <ColumnsMenu {...menu} {...columns} list={name} />}
      />
      <DownloadButton
        isIcon
        label={common.downloadCsv}
        path={path}
        query={query}
        fileName={toFileName([
          path.split('/').at(-1),
          ...describeFilters(filtersOf(name), search),
          dayIn(zone, new Date()),
        ])}
      />
    </>
  );
}

/** Such as `orders-held-2026-11-29.csv`. */
function toFileName(parts: readonly (string | undefined)[]): string {
  const words = parts.flatMap((part) => part?.match(/[\p{L}\p{N}.]+/gu) ?? []);
  return `${words.join('-').toLowerCase().slice(0, 100)}.csv`;
}

/** Titles of hidden columns, from the URL or else from this browser's preferences. */
export function useHidden(list: ListName, columns: readonly Titled[]): readonly string[] {
  const { search } = useUrl();
  const { hidden } = usePreferences();
  const extras = columns.filter(({ isExtra }) => isExtra).map(({ title }) => title);
  return (search['hide'] ?? hidden[list] ?? extras.join(',')).split(',').filter((title) => title !== '');
}
