import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { useUrl } from '../url.ts';
import { Books } from './books.tsx';
import { Days } from './days.tsx';
import { Sellers } from './sellers.tsx';
import { Statements } from './statements.tsx';

const TABS = { days: Days, books: Books, statements: Statements, sellers: Sellers } as const satisfies Record<
  string,
  ComponentType
>;
type TabName = keyof typeof TABS;

const isTab = (name: string | undefined): name is TabName => name !== undefined && name in TABS;

export function Finance() {
  const { search, setFilters } = useUrl();
  const tab = isTab(search['tab']) ? search['tab'] : 'days';
  const Shown = TABS[tab];
  return (
    <Page title="Finance">
      <Tabs
        value={tab}
        onChange={(next) =>
          setFilters({ query: undefined, tab: next === 'days' ? undefined : (next ?? undefined) })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label="Parts of finance">
          {(Object.keys(TABS) as TabName[]).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.finance.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className="tab-panel">
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
