import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Menu } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { type ListName, queryClient } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { newUuid } from '../api/uuid.ts';
import { openDialog } from '../forms/closing.tsx';
import { texts } from '../lists/texts.ts';
import { Operate } from '../operate/operate.tsx';
import { parseSearch } from '../places.tsx';
import type { OpenedMenu } from '../ui/opener.tsx';
import { toastError } from '../ui/toasts.tsx';
import { useUrl } from '../url.ts';
import '../mantine-more.css';

type View = OperatorAnswer<'listViews'>[number];

type ViewsProps = {
  readonly list: ListName;
  readonly views: readonly View[];
  /** The URL parameters that a view keeps. */
  readonly current: string;
};

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
  const [newId] = useState(newUuid);
  const knownAs = (name: unknown) => views.find((view) => view.own && view.name === String(name).trim());
  return (
    <Operate
      operation="putView"
      toParams={({ name }) => ({ viewId: knownAs(name)?.id ?? newId })}
      body={{ list, search: current }}
      title={texts.views.save}
      submit={({ name }) => (knownAs(name) === undefined ? texts.views.saveNow : texts.views.replace)}
      done={({ name }) => texts.views.saved(name)}
    />
  );
}
