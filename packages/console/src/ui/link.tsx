/** A link to a page of the console. */
import { Link as RouterLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../url.ts';

export function Link(props: {
  readonly to: string;
  readonly search?: Search;
  readonly className?: string;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly rowKey?: string;
  /** Marked as current on this very page only, not on those below it. */
  readonly isExact?: boolean;
  readonly children: ReactNode;
}) {
  const { to, search, className, label, onClick, rowKey, isExact = false, children } = props;
  return (
    <RouterLink
      to={to}
      {...(search === undefined ? {} : { search: search as never })}
      {...(className === undefined ? {} : { className })}
      {...(onClick === undefined ? {} : { onClick })}
      aria-label={label}
      data-row-key={rowKey}
      activeOptions={{ exact: isExact || to === '/', includeSearch: false }}
    >
      {children}
    </RouterLink>
  );
}
