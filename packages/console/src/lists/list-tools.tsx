import { Button } from '@mantine/core';
import { use } from 'react';
import type { ListName } from '../api/queries.ts';
import { App } from '../app.ts';
import type { Search } from '../places.tsx';
import { usePreferences } from '../preferences.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import { Opener } from '../ui/opener.tsx';
import { useUrl } from '../url.ts';
import { DownloadButton } from './download-button.tsx';
import type { ColumnsProps, Titled } from './list-menus.tsx';
import { texts } from './texts.ts';

const ColumnsMenu = lazyPart(async () => (await import('./list-menus.tsx')).ColumnsMenu);

/** Lists that have these tools, with the paths of their CSV files. */
const FILES: Partial<Record<ListName, string>> = {
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

export function ListTools(props: ColumnsProps & { readonly name: ListName; readonly query: Search }) {
  const { name, query, ...columns } = props;
  const { Views } = use(App);
  const path = FILES[name];
  if (path === undefined) return null;
  return (
    <>
      {Views === undefined ? null : <Views list={name} />}
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
export function useHidden(list: ListName, columns: readonly Titled[]): readonly string[] {
  const { search } = useUrl();
  const { hidden } = usePreferences();
  const extras = columns.filter(({ isExtra }) => isExtra).map(({ title }) => title);
  return (search['hide'] ?? hidden[list] ?? extras.join(',')).split(',').filter((title) => title !== '');
}
