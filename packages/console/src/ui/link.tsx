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
  readonly children: ReactNode;
}) {
  const { to, search, className, label, onClick, rowKey, children } = props;
  return (
    <RouterLink
      to={to}
      {...(search === undefined ? {} : { search: search as never })}
      {...(className === undefined ? {} : { className })}
      {...(onClick === undefined ? {} : { onClick })}
      aria-label={label}
      data-row-key={rowKey}
      activeOptions={{ exact: to === '/', includeSearch: false }}
    >
      {children}
    </RouterLink>
  );
}
