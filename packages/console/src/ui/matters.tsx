/** The list of matters that wait for a person; each has a link to what must be done. */
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Search } from '../places.tsx';
import { Icon } from './icons.tsx';
import { Link, type Look, Mark } from './values.tsx';

export type Target = { readonly to: string; readonly search?: Search };

export type Matter = Target & {
  readonly key: string;
  readonly look: Look;
  readonly what: string;
  readonly more?: ReactNode;
  readonly action: string;
};

export function Matters({ matters, none }: { readonly matters: readonly Matter[]; readonly none: string }) {
  if (matters.length === 0)
    return (
      <Group gap={8} c="dimmed">
        <Icon name="check" /> {none}
      </Group>
    );
  return (
    <ul className="attention">
      {matters.map(({ key, look, what, more, to, search, action }) => (
        <li key={key}>
          <Mark look={look} size={28} />
          <span>
            <strong>{what}</strong> <span className="more">{more}</span>
          </span>
          <Link to={to} search={search} label={`${action}: ${what}`}>
            {action} ›
          </Link>
        </li>
      ))}
    </ul>
  );
}
