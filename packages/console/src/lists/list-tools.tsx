import type { OperatorAnswer, OperatorList } from '@keyport/sdk/admin';
import { Button, Checkbox, Menu, Popover, TextInput } from '@mantine/core';
import { admin, queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { newUuid } from '../api/uuid.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { openDialog } from '../forms/closing.tsx';
import { parseSearch, type Search, stringifySearch } from '../places.tsx';
import { setPreferences, usePreferences } from '../preferences.ts';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { toast, toastError } from '../ui/toasts.tsx';
import { useUrl } from '../url.ts';
import { WIDTH_MAX, WIDTH_MIN, type Widths } from './data-table.tsx';
import { DownloadButton } from './download-button.tsx';
import { texts } from './texts.ts';

type View = OperatorAnswer<'listViews'>[number];

/** Lists with these tools, and the paths of their files. */
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

type Titled = { readonly title: string; readonly isExtra?: true };

/** In an address: no column is left out. */
const NONE = '-';
const PLACE = ['cursor', 'page', 'peek', 'sel'];

export function ListTools(props: {
  readonly name: OperatorList;
  readonly columns: readonly Titled[];
  readonly query: Search;
}) {
  const { name, columns, query } = props;
  const path = FILES[name];
  if (path === undefined) return null;
  return (
    <>
      <Views list={name} />
      <Columns list={name} columns={columns} />
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

/** Widths of columns, from the URL, so that views keep them, or else from this browser's preferences. */
export function useWidths(list: string) {
  const { search, look } = useUrl();
  const { widths: stored } = usePreferences();
  const text = search['widths'] ?? stored[list] ?? '';
  const pairs = text.split(',').map((pair) => pair.split(':'));
  const widths: Widths = Object.fromEntries(
    pairs.flatMap(([title = '', width]) => (Number(width) > 0 ? [[title, Number(width)]] : [])),
  );
  const set = (title: string, width: number) => {
    const { [title]: _before, ...others } = widths;
    const next = Object.entries(width > 0 ? { ...others, [title]: width } : others).map((pair) =>
      pair.join(':'),
    );
    setPreferences({ widths: { ...stored, [list]: next.join(',') } });
    look({ widths: next.join(',') || undefined });
  };
  return { widths, set };
}

function Columns(props: { readonly list: OperatorList; readonly columns: readonly Titled[] }) {
  const { list, columns } = props;
  const { look } = useUrl();
  const { hidden: stored } = usePreferences();
  const hidden = useHidden(list, columns);
  const { widths, set } = useWidths(list);
  const toggle = (title: string, isShown: boolean) => {
    const others = hidden.filter((one) => one !== title);
    const next = (isShown ? others : [...others, title]).join(',');
    setPreferences({ hidden: { ...stored, [list]: next } });
    // An address without it leaves the extra ones out.
    void look({ hide: next || (columns.some(({ isExtra }) => isExtra) ? NONE : undefined) });
  };
  return (
    <Popover position="bottom-end" trapFocus transitionProps={{ duration: 0 }} withinPortal={false}>
      <Popover.Target>
        <Button variant="subtle">{texts.table.columns}</Button>
      </Popover.Target>
      <Popover.Dropdown className="choices" aria-label={texts.table.columns}>
        {columns.map(({ title }, place) => (
          <div key={title} className="column-choice">
            <Checkbox
              size="xs"
              label={title}
              // The first column links to the row.
              disabled={place === 0}
              checked={!hidden.includes(title)}
              onChange={({ currentTarget }) => toggle(title, currentTarget.checked)}
            />
            <TextInput
              size="xs"
              type="number"
              aria-label={texts.table.widthOf(title)}
              placeholder={texts.table.widthAuto}
              min={WIDTH_MIN}
              max={WIDTH_MAX}
              step={20}
              defaultValue={widths[title] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                value === '' || Number(value) >= WIDTH_MIN
                  ? set(title, Math.min(WIDTH_MAX, Number(value)))
                  : undefined
              }
            />
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}

function Views({ list }: { readonly list: OperatorList }) {
  const { search, setFilters } = useUrl();
  const mayDeleteAll = useMay('administer');
  const { data: views = [] } = useRead('listViews', { query: { list } });
  const current = viewOf(search);
  const open = views.find((view) => view.search === current);
  const show = (view: View) => {
    const none = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
    void setFilters({ ...none, ...parseSearch(view.search) });
  };
  const remove = (view: View) =>
    admin
      .deleteView({ params: { viewId: view.id } })
      .then(() => queryClient.invalidateQueries({ queryKey: ['listViews'] }), toastError);
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} withinPortal={false}>
      <Menu.Target>
        <Button variant="subtle" rightSection={<Icon name="down" size={12} />}>
          {open === undefined ? texts.views.title : texts.views.open(open.name)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 ? <Menu.Label>{texts.views.none}</Menu.Label> : null}
        {views.map((view) => (
          <Menu.Item key={view.id} onClick={() => show(view)}>
            {view.own ? view.name : texts.views.of(view.name, view.ownerName)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => openDialog(<SaveView list={list} views={views} search={current} />)}>
          {texts.views.save}…
        </Menu.Item>
        {open !== undefined && (open.own || mayDeleteAll) ? (
          <Menu.Item onClick={() => void remove(open)}>{texts.views.delete(open.name)}</Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function viewOf(search: Search): string {
  const kept = Object.entries(search).filter(([name]) => !PLACE.includes(name));
  const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return stringifySearch(Object.fromEntries(sorted)).slice(1);
}

/** A name in use replaces the view of that name. */
function SaveView(props: {
  readonly list: OperatorList;
  readonly views: readonly View[];
  readonly search: string;
}) {
  const { list, views, search } = props;
  const knownAs = (name: string) => views.find((view) => view.own && view.name === name.trim());
  return (
    <ActionDialog
      title={texts.views.save}
      form={`view:${list}`}
      initial={{ name: '', shared: false }}
      problems={({ name }) => ({ name: name.trim() === '' ? common.enterAName : undefined })}
      fields={({ draft, change, bind }) => (
        <>
          <TextInput
            data-autofocus
            label={common.name}
            description={texts.views.content}
            maxLength={60}
            {...bind('name')}
          />
          <Checkbox
            label={texts.views.shared}
            checked={draft.shared}
            onChange={({ currentTarget }) => change({ shared: currentTarget.checked })}
          />
        </>
      )}
      submit={(_, { name }) => (knownAs(name) === undefined ? texts.views.saveNow : texts.views.replace)}
      run={({ name, shared }, options) => {
        const params = { viewId: knownAs(name)?.id ?? newUuid() };
        return admin.putView({ params, body: { list, name: name.trim(), search, shared } }, options);
      }}
      onDone={({ data: { name } }) => toast(texts.views.saved(name))}
    />
  );
}
