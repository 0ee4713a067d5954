/** The menus of a list: its columns, and its views. */
import type { OperatorAnswer, OperatorList } from '@keyport/sdk/admin';
import { Checkbox, Menu, TextInput } from '@mantine/core';
import { admin, queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { newUuid } from '../api/uuid.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { openDialog } from '../forms/closing.tsx';
import { parseSearch } from '../places.tsx';
import { setPreferences, usePreferences } from '../preferences.ts';
import { common } from '../texts.ts';
import { Choices } from '../ui/choices.tsx';
import type { OpenedMenu } from '../ui/opener.tsx';
import { toast, toastError } from '../ui/toasts.tsx';
import { useUrl } from '../url.ts';
import { texts } from './texts.ts';

type View = OperatorAnswer<'listViews'>[number];

export type Titled = { readonly title: string; readonly isExtra?: true };

export type ColumnsProps = {
  readonly columns: readonly Titled[];
  readonly hidden: readonly string[];
};

type ViewsProps = {
  readonly list: OperatorList;
  readonly views: readonly View[];
  /** The URL parameters that a view keeps. */
  readonly current: string;
};

/** The value in a URL that hides no columns. */
const NONE = '-';

export function ColumnsMenu(props: OpenedMenu & ColumnsProps & { readonly list: OperatorList }) {
  const { list, columns, hidden, ...menu } = props;
  const { look } = useUrl();
  const { hidden: stored } = usePreferences();
  const toggle = (title: string, isShown: boolean) => {
    const others = hidden.filter((one) => one !== title);
    const next = (isShown ? others : [...others, title]).join(',');
    setPreferences({ hidden: { ...stored, [list]: next } });
    // A URL without `hide` hides the extra columns.
    void look({ hide: next || (columns.some(({ isExtra }) => isExtra) ? NONE : undefined) });
  };
  return (
    <Choices
      {...menu}
      position="bottom-end"
      label={texts.table.columns}
      choices={columns.map(({ title }, place) => (
        <Checkbox
          key={title}
          size="xs"
          label={title}
          // The first column links to the row.
          disabled={place === 0}
          checked={!hidden.includes(title)}
          onChange={({ currentTarget }) => toggle(title, currentTarget.checked)}
        />
      ))}
    />
  );
}

export function ViewsMenu(props: OpenedMenu & ViewsProps & { readonly open: View | undefined }) {
  const { isOpen, onClose, children, list, views, current, open } = props;
  const { search, setFilters } = useUrl();
  const mayDeleteAll = useMay('administer');
  const show = (view: View) => {
    const none = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
    void setFilters({ ...none, ...parseSearch(view.search) });
  };
  const remove = (view: View) =>
    admin
      .deleteView({ params: { viewId: view.id } })
      .then(() => queryClient.invalidateQueries({ queryKey: ['listViews'] }), toastError);
  return (
    <Menu
      opened={isOpen}
      onClose={onClose}
      position="bottom-end"
      transitionProps={{ duration: 0 }}
      withinPortal={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 ? <Menu.Label>{texts.views.none}</Menu.Label> : null}
        {views.map((view) => (
          <Menu.Item key={view.id} onClick={() => show(view)}>
            {view.own ? view.name : texts.views.of(view.name, view.ownerName)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => openDialog(<SaveView list={list} views={views} current={current} />)}>
          {texts.views.save}…
        </Menu.Item>
        {open !== undefined && (open.own || mayDeleteAll) ? (
          <Menu.Item onClick={() => void remove(open)}>{texts.views.delete(open.name)}</Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Saving under a name in use replaces the view of that name. */
function SaveView({ list, views, current }: ViewsProps) {
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
        return admin.putView({ params, body: { list, name: name.trim(), search: current, shared } }, options);
      }}
      onDone={({ data: { name } }) => toast(texts.views.saved(name))}
    />
  );
}
