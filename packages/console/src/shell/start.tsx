/** Starts an app: its client, its screens, and the frame around them. */
import '../mantine.css';
import '../style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type ComponentType, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/queries.ts';
import { beginSession, useMay } from '../api/session.ts';
import { type Route, startRouter } from '../places.tsx';
import { cssVariables, theme } from '../theme.ts';
import { guardKeys } from '../ui/keys.ts';
import { Broken, Forbidden, NoPage } from './dead-ends.tsx';
import { AfterSignIn } from './return.tsx';
import { Shell } from './shell.tsx';

type Guarded = Route & { readonly permission: Parameters<typeof useMay>[0] };

function guarded({ path, permission, load }: Guarded): Route {
  return {
    path,
    load: async () => {
      const Screen = await load();
      return () => (useMay(permission) ? <Screen /> : <Forbidden />);
    },
  };
}

export function startApp(
  screens: readonly Guarded[],
  Frame: ComponentType<{ readonly children: ReactNode }>,
): void {
  guardKeys();
  beginSession();
  startRouter([...screens.map(guarded), { path: '/sign-in', load: async () => AfterSignIn }], {
    NoPage,
    Broken,
  });
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  // The library that prevents scrolling behind a dialog needs the nonce.
  setNonce(nonce);
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no root');
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        // All variables come from the theme, not from a file that is larger.
        deduplicateCssVariables={false}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Shell Frame={Frame} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
