import type { OperatorList } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { type Search, stringifySearch } from '../places.tsx';
import { usePreferences } from '../preferences.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { useUrl } from '../url.ts';
import { DownloadButton } from './download-button.tsx';
import type { ColumnsProps, Titled } from './list-menus.tsx';
import { texts } from './texts.ts';

const ColumnsMenu = lazyPart(async () => (await import('./list-menus.tsx')).ColumnsMenu);
const ViewsMenu = lazyPart(async () => (await import('./list-menus.tsx')).ViewsMenu);

/** Lists that have these tools, with the paths of their CSV files. */
const FILES: Partial<Record<OperatorList, string>> = {
  listAccounts: '/admin/v1/accounts',
  listAllOrders: '/admin/v1/orders',
  listAllWebhookEndpoints: '/admin/v1/webhook-endpoints',
  listApprovals: '/admin/v1/approvals',
  listAudit: '/admin/v1/audit',
  listCatalogueProducts: '/admin/v1/products',
  listImports: '/admin/v1/imports',
  listIncidents: '/admin/v1/incidents',
  listOffers: '/admin/v1/offers',
  listPayments: '/admin/v1/payments',
  listRejections: '/admin/v1/rejections',
  listSellers: '/admin/v1/sellers',
};

/** URL parameters that a view does not keep. */
const PLACE = ['cursor', 'page', 'peek', 'sel'];

export function ListTools(props: ColumnsProps & { readonly name: OperatorList; readonly query: Search }) {
  const { name, query, ...columns } = props;
  const path = FILES[name];
  if (path === undefined) return null;
  return (
    <>
      <Views list={name} />
      <Opener
        button={(opener) => (
          <Button variant="subtle" {...opener}>
            {texts.table.columns}
          </Button>
        )}
        menu={(menu) => <ColumnsMenu {...menu} {...columns} list={name} />}
      />
      <DownloadButton
        variant="subtle"
        label={common.downloadCsv}
        path={path}
        query={query}
        fileName={`${path.split('/').at(-1)}.csv`}
      />
    </>
  );
}

/** Titles of hidden columns, from the URL or else from this browser's preferences. */
export function useHidden(list: OperatorList, columns: readonly Titled[]): readonly string[] {
  const { search } = useUrl();
  const { hidden } = usePreferences();
  const extras = columns.filter(({ isExtra }) => isExtra).map(({ title }) => title);
  return (search['hide'] ?? hidden[list] ?? extras.join(',')).split(',').filter((title) => title !== '');
}

function Views({ list }: { readonly list: OperatorList }) {
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
