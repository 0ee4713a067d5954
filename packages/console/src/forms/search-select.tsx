import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Client, useLive } from '../api/queries.ts';
import { texts } from './texts.ts';

export type Choice = { readonly id: string; readonly name: string };

/** Returns the first choices if there are no words. */
export type Find = (
  client: Client,
  words: string | undefined,
  signal: AbortSignal,
) => Promise<readonly Choice[]>;

const TYPING_PAUSE_MS = 200;

export function SearchSelect(props: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly name: string;
  readonly chosen: Choice | undefined;
  readonly error: string | undefined;
  readonly onChoose: (choice: Choice) => void;
  readonly find: Find;
  readonly hasFocus?: boolean;
  /** Hides the label, if the surroundings show the purpose. */
  readonly isCompact?: boolean;
}) {
  const { label, description, name, chosen, error, onChoose, find } = props;
  const { hasFocus = false, isCompact = false } = props;
  const [text, setText] = useState(chosen?.name ?? '');
  const typed = text.trim() === chosen?.name ? undefined : text.trim() || undefined;
  const [words] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const { data: found = [] } = useLive(['choices', name, words], (client, signal) =>
    find(client, words, signal),
  );
  const choices =
    chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found];
  return (
    <Select
      {...(isCompact ? { 'aria-label': label, placeholder: label, size: 'xs' } : { label })}
      description={description}
      data-field={name}
      data-autofocus={hasFocus || undefined}
      searchable
      allowDeselect={false}
      openOnFocus={false}
      comboboxProps={{ withinPortal: false }}
      filter={({ options }) => options}
      nothingFoundMessage={texts.noChoice}
      data={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
      value={chosen?.id ?? null}
      searchValue={text}
      onSearchChange={setText}
      error={error}
      onChange={(id) => {
        const choice = choices.find((one) => one.id === id);
        if (choice !== undefined) onChoose(choice);
      }}
    />
  );
}
