import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import type { Search } from '../places.tsx';
import { useUrl } from '../url.ts';
import '../mantine-more.css';

/** Parts of a page; the URL names the one that is shown, unless it is the first. */
export function UrlTabs<Shared extends object>(props: {
  readonly label: string;
  readonly parts: Readonly<Record<string, readonly [title: string, Part: ComponentType<Shared>]>>;
  readonly shared: Shared;
  /** Filters that other parts do not have; opening another part removes them. */
  readonly reset: Search;
}) {
  const { label, parts, shared, reset } = props;
  const { search, setFilters } = useUrl();
  const names = Object.keys(parts);
  const tab = names.find((name) => name === search['tab']) ?? names[0] ?? '';
  const [, Part] = parts[tab] ?? [];
  const open = (next: string | null) =>
    setFilters({ ...reset, tab: next === names[0] || next === null ? undefined : next });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {Object.entries(parts).map(([name, [title]]) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt={16}>
        {Part && <Part {...shared} />}
      </Tabs.Panel>
    </Tabs>
  );
}
