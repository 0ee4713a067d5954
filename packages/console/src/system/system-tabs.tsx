/** The shared heading and tabs of the system's pages. */
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
  const { tabs } = texts.system;
  return (
    <Page title={texts.navigation.system} actions={actions}>
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
