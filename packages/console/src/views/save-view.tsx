import { useState } from 'react';
import { type ListName, useRead } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { texts } from '../lists/texts.ts';
import { Operate } from '../operate/operate.tsx';

/** Saving under a name in use replaces the view of that name. */
export function SaveView({ list, search }: { readonly list: ListName; readonly search: string }) {
  const [newId] = useState(newUuid);
  const { data: views = [] } = useRead('listViews', { query: { list } });
  const knownAs = (name: unknown) => views.find((view) => view.own && view.name === String(name).trim());
  return (
    <Operate
      operation="putView"
      toParams={({ name }) => ({ viewId: knownAs(name)?.id ?? newId })}
      body={{ list, search }}
      title={texts.views.save}
      submit={({ name }) => (knownAs(name) === undefined ? texts.views.saveNow : texts.views.replace)}
      done={({ name }) => texts.views.saved(name)}
    />
  );
}
