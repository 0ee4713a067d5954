/** Every screen of the portal: its route, its entry in the navigation, and its permission. */
import type { PortalSession } from '@keyport/contract/accounts/members';
import type { MemberPermission } from '@keyport/contract/roles';
import type { ComponentType } from 'react';
import { useSession } from '../api/session.ts';
import { common } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { paths } from '../url.ts';

type Screen = {
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
  readonly permission: MemberPermission;
  /** In the navigation. */
  readonly title?: string;
  readonly icon?: IconName;
};

export const SCREENS: readonly Screen[] = [
  {
    path: paths.home,
    load: async () => (await import('./home.tsx')).Home,
    permission: 'account',
    title: common.navigation.home,
    icon: 'home',
  },
  {
    path: paths.profile,
    load: async () => (await import('./profile.tsx')).Profile,
    permission: 'account',
  },
];

/** The screens of the navigation that the member's role may see. */
export function useEntries() {
  const { permissions } = useSession<PortalSession>();
  return SCREENS.flatMap(({ path, title, icon, permission }) =>
    title !== undefined && icon !== undefined && permissions.includes(permission)
      ? [{ path, title, icon }]
      : [],
  );
}
