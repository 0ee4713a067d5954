/** A button whose menu is loaded when it is first opened. */
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { usePlace } from '../places.tsx';

export type OpenedMenu = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The button. */
  readonly children: ReactNode;
};

export function Opener(props: {
  readonly button: (opener: OpenerProps) => ReactNode;
  readonly menu: (menu: OpenedMenu) => ReactNode;
}) {
  const { path } = usePlace();
  const [openOn, setOpenOn] = useState<string>();
  const ref = useRef<HTMLButtonElement>(null);
  const isOpen = openOn === path;
  const button = props.button({
    ref,
    'aria-haspopup': true,
    'aria-expanded': isOpen,
    onClick: () => setOpenOn(isOpen ? '' : path),
  });
  const onClose = () => {
    setOpenOn('');
    // The button was replaced when the menu was loaded, so the menu cannot return the focus.
    ref.current?.focus();
  };
  if (openOn === undefined) return button;
  return <Suspense fallback={button}>{props.menu({ isOpen, onClose, children: button })}</Suspense>;
}

type OpenerProps = {
  readonly ref: { readonly current: HTMLButtonElement | null };
  readonly 'aria-haspopup': true;
  readonly 'aria-expanded': boolean;
  readonly onClick: () => void;
};
