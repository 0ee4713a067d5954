/** Commands for the palette, provided by the frame, screens and tables while they are shown. */
import { useEffect, useRef } from 'react';
import type { IconName } from './icons.tsx';

export type Command = {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
  /** Does not depend on the page. */
  readonly isEverywhere?: true;
};

type Provider = () => readonly Command[];

const providers = new Set<Provider>();

export function useCommands(provide: Provider): void {
  const current = useRef(provide);
  current.current = provide;
  useEffect(() => {
    const provider = () => current.current();
    providers.add(provider);
    return () => {
      providers.delete(provider);
    };
  }, []);
}

/** Collects the commands when they are needed, because those of a row depend on the focus. */
export function currentCommands(): readonly Command[] {
  return [...providers].flatMap((provide) => provide());
}

export function runCommand(label: string): void {
  currentCommands()
    .find((command) => command.label === label)
    ?.run();
}
