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
  /** In the navigation. `key` is pressed after `g`. */
  readonly title?: string;
  readonly icon?: IconName;
  readonly key?: string;
};

const { navigation } = common;

export const SCREENS: readonly Screen[] = [
  {
    path: paths.home,
    load: async () => (await import('./home.tsx')).Home,
    permission: 'account',
    title: navigation.home,
    icon: 'home',
    key: 'h',
  },
  {
    path: paths.catalogue,
    load: async () => (await import('./catalogue.tsx')).Catalogue,
    permission: 'buy',
    title: navigation.catalogue,
    icon: 'catalogue',
    key: 'c',
  },
  {
    path: paths.product('$id'),
    load: async () => (await import('./product-page.tsx')).ProductPage,
    permission: 'buy',
  },
  {
    path: paths.orders,
    load: async () => (await import('./orders.tsx')).Orders,
    permission: 'account',
    title: navigation.orders,
    icon: 'orders',
    key: 'o',
  },
  {
    path: paths.order('$id'),
    load: async () => (await import('./order-page.tsx')).OrderPage,
    permission: 'account',
  },
  {
    path: paths.reservations,
    load: async () => (await import('./reservations.tsx')).Reservations,
    permission: 'buy',
    title: navigation.reservations,
    icon: 'clock',
  },
  {
    path: paths.claims,
    load: async () => (await import('./claims.tsx')).Claims,
    permission: 'account',
    title: navigation.claims,
    icon: 'claims',
  },
  {
    path: paths.claim('$id'),
    load: async () => (await import('./claims.tsx')).ClaimPage,
    permission: 'account',
  },
  {
    path: paths.statement,
    load: async () => (await import('./statement.tsx')).Statement,
    permission: 'account',
    title: navigation.statement,
    icon: 'finance',
    key: 's',
  },
  {
    path: paths.clients,
    load: async () => (await import('./clients.tsx')).Clients,
    permission: 'develop',
    title: navigation.clients,
    icon: 'key',
  },
  {
    path: paths.webhooks,
    load: async () => (await import('./endpoints.tsx')).Endpoints,
    permission: 'develop',
    title: navigation.webhooks,
    icon: 'webhooks',
    key: 'w',
  },
  {
    path: paths.requests,
    load: async () => (await import('./requests.tsx')).RequestLog,
    permission: 'develop',
    title: navigation.requests,
    icon: 'audit',
    key: 'r',
  },
  {
    path: paths.members,
    load: async () => (await import('./members.tsx')).MembersPage,
    permission: 'members',
    title: navigation.members,
    icon: 'person',
    key: 'm',
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
  return SCREENS.flatMap(({ title, icon, permission, ...entry }) =>
    title !== undefined && icon !== undefined && permissions.includes(permission)
      ? [{ ...entry, title, icon }]
      : [],
  );
}
