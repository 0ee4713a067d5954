/** What the pages of the system share. */
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

export function SystemShell({
  actions,
  children,
}: {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, tabs } = texts.system;
  return (
    <Page title={title} actions={actions}>
      <nav className="tabs" aria-label={tabs.label}>
        <Link to={paths.system} isExact>
          {tabs.state}
        </Link>
        <Link to={paths.settings}>{tabs.settings}</Link>
        <Link to={paths.operators}>{tabs.operators}</Link>
      </nav>
      {children}
    </Page>
  );
}
