import { type MouseEvent, type ReactNode, useRef } from 'react';
import { paths } from '../paths.ts';
import { hrefOf, navigate, preload, type Search, usePlace } from '../places.tsx';
import { OrderId } from './values.tsx';

/** So long the pointer rests on it. */
const INTENT_MS = 80;

export function Link(props: {
  readonly to: string;
  readonly search?: Search | undefined;
  readonly className?: string;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly rowKey?: string;
  /** Marked as current on this very page only, not on those below it. */
  readonly isExact?: boolean;
  readonly children: ReactNode;
}) {
  const { to, search = {}, className, label, onClick, rowKey, isExact = false, children } = props;
  const { path } = usePlace();
  const isCurrent = path === to || (!isExact && to !== '/' && path.startsWith(`${to}/`));
  const timer = useRef(0);
  const intend = () => {
    timer.current = window.setTimeout(() => preload(to), INTENT_MS);
  };
  const follow = (event: MouseEvent) => {
    onClick?.();
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate({ to, search });
  };
  return (
    <a
      href={hrefOf(to, search)}
      className={className}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      data-row-key={rowKey}
      onClick={follow}
      onPointerEnter={intend}
      onFocus={intend}
      onPointerLeave={() => clearTimeout(timer.current)}
    >
      {children}
    </a>
  );
}

export function OrderLink({ id }: { readonly id: string }) {
  return (
    <Link to={paths.order(id)}>
      <OrderId id={id} />
    </Link>
  );
}
