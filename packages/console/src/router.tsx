import type { ComponentType } from 'react';
import { useMay } from './api/session.ts';
import { startRouter } from './places.tsx';
import { SCREENS, type Screen } from './screens.ts';
import { Broken, Forbidden, NoPage } from './shell/dead-ends.tsx';
import { AfterSignIn } from './shell/return.tsx';

function guarded({ permission = 'view' }: Screen, Component: ComponentType): ComponentType {
  return function Guarded() {
    return useMay(permission) ? <Component /> : <Forbidden />;
  };
}

const screens = SCREENS.map((screen) => ({
  path: screen.path,
  load: async () => guarded(screen, await screen.load()),
}));

startRouter([...screens, { path: '/sign-in', load: async () => AfterSignIn }], { NoPage, Broken });
