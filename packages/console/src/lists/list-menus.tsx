/** The menu of a list's columns. */
import { Checkbox, Divider } from '@mantine/core';
import type { ListName } from '../api/queries.ts';
import { setPreferences, usePreferences } from '../preferences.ts';
import { Choices } from '../ui/choices.tsx';
import type { OpenedMenu } from '../ui/opener.tsx';
import { useUrl } from '../url.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

export type Titled = { readonly title: string; readonly isExtra?: true };

export type ColumnsProps = {
  readonly columns: readonly Titled[];
  readonly hidden: readonly string[];
};

/** The value in a URL that hides no columns. */
const NONE = '-';

export function ColumnsMenu(props: OpenedMenu & ColumnsProps & { readonly list: ListName }) {
  const { list, columns, hidden, ...menu } = props;
  const { look } = useUrl();
  const { hidden: stored, isCompact } = usePreferences();
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
      choices={
        <>
          {columns.map(({ title }, place) => (
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
          <Divider />
          <Checkbox
            size="xs"
            label={texts.table.isCompact}
            checked={isCompact}
            onChange={({ currentTarget }) => setPreferences({ isCompact: currentTarget.checked })}
          />
        </>
      }
    />
  );
}
