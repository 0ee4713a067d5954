import './mantine.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { beginSession, useMay } from './api/session.ts';
import { startRouter } from './places.tsx';
import { SCREENS, type Screen } from './screens.ts';
import { Broken, Forbidden, NoPage } from './shell/dead-ends.tsx';
import { AfterSignIn } from './shell/return.tsx';
import { Shell } from './shell/shell.tsx';
import { cssVariables, theme } from './theme.ts';
import { guardKeys } from './ui/keys.ts';

function guarded({ permission = 'view' }: Screen, Component: ComponentType): ComponentType {
  return function Guarded() {
    return useMay(permission) ? <Component /> : <Forbidden />;
  };
}

const screens = SCREENS.map((screen) => ({
  path: screen.path,
  load: async () => guarded(screen, await screen.load()),
}));

guardKeys();

// A one-time link begins its own session.
if (!location.hash.startsWith('#token=')) beginSession();

startRouter([...screens, { path: '/sign-in', load: async () => AfterSignIn }], { NoPage, Broken });

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
        <Shell />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
