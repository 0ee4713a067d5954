/** A text field that suggests operators after @: arrows move, Enter or Tab accepts, Escape closes the list. */
import { Textarea } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Operator } from '../ui/person.tsx';
import { texts } from './texts.ts';

const PROPOSED_MAX = 6;
/** The text up to the caret: an @ after a blank, and the beginning of a name. */
const BEGUN = /(?:^|\s)@([^@\n]{0,60})$/;

export function MentionField(props: {
  readonly people: readonly Operator[];
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly setValue: (value: string) => void;
}) {
  const { people, value, setValue, ...shown } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [index, setIndex] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const typed = BEGUN.exec(value.slice(0, caret))?.[1];
  const at = caret - (typed?.length ?? 0);
  const proposed =
    typed === undefined || closedAt === at
      ? []
      : people.filter(({ name }) => startsIn(name, typed)).slice(0, PROPOSED_MAX);
  const active = Math.min(index, proposed.length - 1);
  const follow = () => {
    setCaret(field.current?.selectionStart ?? 0);
    setIndex(0);
  };
  const take = ({ name }: Operator) => {
    const before = `${value.slice(0, at)}${name} `;
    flushSync(() => {
      setValue(before + value.slice(caret));
      setCaret(before.length);
    });
    field.current?.setSelectionRange(before.length, before.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const person = proposed[active];
    if (person === undefined || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setIndex((active + step + proposed.length) % proposed.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(person);
    else if (event.key === 'Escape') setClosedAt(at);
    else return;
    event.preventDefault();
  };
  const isOpen = proposed.length > 0;
  return (
    <div className="mention-field">
      <Textarea
        {...shown}
        ref={field}
        data-field="text"
        autosize
        minRows={2}
        maxLength={2000}
        value={value}
        onChange={({ currentTarget }) => {
          setValue(currentTarget.value);
          follow();
        }}
        onSelect={follow}
        onBlur={() => setClosedAt(at)}
        onKeyDown={onKeyDown}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        // Keeps a surrounding panel open when Escape closes the list.
        data-mantine-stop-propagation={isOpen}
      />
      {isOpen ? (
        <div role="listbox" id={listId} aria-label={texts.notes.people}>
          {proposed.map((person, place) => (
            <div
              key={person.id}
              id={`${listId}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              onMouseDown={(event) => {
                event.preventDefault();
                take(person);
              }}
            >
              {person.name} <span className="hint">{person.email}</span>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Whether the name or one of its words begins with the typed text. */
function startsIn(name: string, typed: string): boolean {
  return ` ${name}`.toLowerCase().includes(` ${typed.toLowerCase()}`);
}

/** The ids of operators whose names follow an @. The longest name wins: one name may begin with another. */
export function mentionedIn(text: string, people: readonly Operator[]): string[] {
  const names = [...new Set(people.map(({ name }) => name))].sort((one, other) => other.length - one.length);
  let left = text;
  const found = names.filter((name) => {
    const without = left.replaceAll(`@${name}`, ' ');
    const isThere = without !== left;
    left = without;
    return isThere;
  });
  return people.filter(({ name }) => found.includes(name)).map(({ id }) => id);
}
