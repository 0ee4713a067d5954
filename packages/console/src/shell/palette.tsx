/** Search and jump: an order id opens the order, words find pages. */
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { useEntries } from './frame.tsx';

type Action = { readonly id: string; readonly label: string; readonly icon: IconName; readonly path: string };

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const entries = useEntries();
  const navigate = useNavigate();
  useEffect(() => spotlight.open(), []);
  const id = query.replaceAll(' ', '');
  const order: Action[] = /^\d{14,16}$/.test(id)
    ? [{ id, label: texts.palette.openOrder(id), icon: 'orders', path: paths.order(id) }]
    : [];
  const words = query.trim().toLowerCase();
  const pages = entries
    .map(({ path, entry }): Action => ({ id: path, label: entry.title, icon: entry.icon, path }))
    .filter(({ label }) => label.toLowerCase().includes(words));
  const mayFindKeys = useMay('orders');
  const more: Action[] = mayFindKeys
    ? [{ id: paths.findKey, label: texts.palette.findKey, icon: 'key' as const, path: paths.findKey }]
    : [];
  const found = [...order, ...pages, ...more.filter(({ label }) => label.toLowerCase().includes(words))];
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      transitionProps={{ duration: 0 }}
      onSpotlightClose={onClose}
      attributes={{ content: { 'aria-label': texts.palette.label } }}
    >
      <Spotlight.Search
        aria-label={texts.palette.label}
        placeholder={texts.palette.placeholder}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {found.map(({ id, label, icon, path }) => (
          <Spotlight.Action
            key={id}
            label={label}
            leftSection={<Icon name={icon} />}
            onClick={() => void navigate({ to: path })}
          />
        ))}
        {found.length === 0 ? <Spotlight.Empty>{texts.palette.nothing}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
