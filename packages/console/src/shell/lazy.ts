import { type ComponentType, lazy } from 'react';
import { busy } from '../ui/busy.tsx';

/** A component that is loaded when it is first shown. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await busy(load()) }));
}
