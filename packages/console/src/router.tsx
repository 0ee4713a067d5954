/** The routes, made from the table of screens. Search strings stay strings: order ids are too long for numbers. */
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { CONSOLE_PATH } from './api/place.ts';
import { useMay } from './api/session.ts';
import { SCREENS, type Screen } from './screens.ts';
import { Broken, Forbidden, NoPage } from './shell/dead-ends.tsx';
import { AfterSignIn } from './shell/return.tsx';
import { Shell } from './shell/shell.tsx';
import { parseSearch, stringifySearch } from './url.ts';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });

function guarded({ component: Component, permission = 'view' }: Screen) {
  return function Guarded() {
    return useMay(permission) ? <Component /> : <Forbidden />;
  };
}

const screens = SCREENS.map((screen) => {
  const { path } = screen;
  const preload = () => screen.component.preload?.();
  return createRoute({ getParentRoute: () => root, path, component: guarded(screen), loader: preload });
});
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: AfterSignIn });

export const router = createRouter({
  routeTree: root.addChildren([...screens, signIn]),
  basepath: CONSOLE_PATH,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
  defaultPreload: 'intent',
  defaultPreloadDelay: 80,
  scrollRestoration: true,
});
