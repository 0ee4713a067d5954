/** Every screen: a row here is its route, its place in the navigation, in the palette and among the keys, and who may see it. */
import type { Permission } from '@keyport/contract/roles';
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from './paths.ts';
import { texts } from './texts.ts';
import type { IconName } from './ui/icons.tsx';

export type Screen = {
  readonly path: string;
  readonly permission: Permission;
  /** Loaded when the screen is opened. */
  readonly component: ReturnType<typeof lazyRouteComponent>;
  /** Of a screen in the navigation. */
  readonly entry?: {
    readonly title: string;
    readonly icon: IconName;
    /** After `g`. */
    readonly key?: string;
    readonly count?: 'held' | 'approvals';
  };
};

export const SCREENS: readonly Screen[] = [
  {
    path: paths.home,
    permission: 'view',
    component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
    entry: { title: texts.navigation.home, icon: 'home', key: 'h' },
  },
  {
    path: paths.orders,
    permission: 'view',
    component: lazyRouteComponent(() => import('./orders/orders-list.tsx'), 'OrdersList'),
    entry: { title: texts.navigation.orders, icon: 'orders', key: 'o' },
  },
  {
    path: '/orders/$orderId',
    permission: 'view',
    component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
  },
  {
    path: paths.rejections,
    permission: 'view',
    component: lazyRouteComponent(() => import('./orders/rejections.tsx'), 'Rejections'),
  },
  {
    path: paths.held,
    permission: 'view',
    component: lazyRouteComponent(() => import('./held/held.tsx'), 'Held'),
    entry: { title: texts.navigation.held, icon: 'held', key: 'q', count: 'held' },
  },
  {
    path: paths.findKey,
    permission: 'orders',
    component: lazyRouteComponent(() => import('./keys/find-key.tsx'), 'FindKey'),
  },
  {
    path: paths.accounts,
    permission: 'view',
    component: lazyRouteComponent(() => import('./accounts/accounts-list.tsx'), 'AccountsList'),
    entry: { title: texts.navigation.accounts, icon: 'accounts', key: 'a' },
  },
  {
    path: '/accounts/$accountId',
    permission: 'view',
    component: lazyRouteComponent(() => import('./accounts/account-page.tsx'), 'AccountPage'),
  },
  {
    path: paths.catalogue,
    permission: 'view',
    component: lazyRouteComponent(() => import('./catalogue/products-list.tsx'), 'ProductsList'),
    entry: { title: texts.navigation.catalogue, icon: 'catalogue', key: 'c' },
  },
  {
    path: '/catalogue/products/$productId',
    permission: 'view',
    component: lazyRouteComponent(() => import('./catalogue/product-page.tsx'), 'ProductPage'),
  },
  {
    path: paths.offers,
    permission: 'view',
    component: lazyRouteComponent(() => import('./catalogue/offers-list.tsx'), 'OffersList'),
  },
  {
    path: '/catalogue/offers/$offerId',
    permission: 'view',
    component: lazyRouteComponent(() => import('./catalogue/offer-page.tsx'), 'OfferPage'),
  },
  {
    path: paths.sellers,
    permission: 'view',
    component: lazyRouteComponent(() => import('./catalogue/sellers-list.tsx'), 'SellersList'),
  },
  {
    path: paths.imports,
    permission: 'view',
    component: lazyRouteComponent(() => import('./imports/imports-page.tsx'), 'ImportsPage'),
    entry: { title: texts.navigation.imports, icon: 'imports', key: 'i' },
  },
  {
    path: '/imports/$runId',
    permission: 'view',
    component: lazyRouteComponent(() => import('./imports/run-page.tsx'), 'RunPage'),
  },
  {
    path: paths.finance,
    permission: 'view',
    component: lazyRouteComponent(() => import('./finance/finance.tsx'), 'Finance'),
    entry: { title: texts.navigation.finance, icon: 'finance', key: 'f' },
  },
  {
    path: paths.payments,
    permission: 'view',
    component: lazyRouteComponent(() => import('./payments/payments-list.tsx'), 'PaymentsList'),
    entry: { title: texts.navigation.payments, icon: 'payments' },
  },
  {
    path: paths.approvals,
    permission: 'view',
    component: lazyRouteComponent(() => import('./approvals/approvals-list.tsx'), 'ApprovalsList'),
    entry: { title: texts.navigation.approvals, icon: 'approvals', count: 'approvals' },
  },
  {
    path: '/approvals/$approvalId',
    permission: 'view',
    component: lazyRouteComponent(() => import('./approvals/approval-page.tsx'), 'ApprovalPage'),
  },
  {
    path: paths.profile,
    permission: 'view',
    component: lazyRouteComponent(() => import('./profile/profile.tsx'), 'Profile'),
  },
  {
    path: paths.webhooks,
    permission: 'view',
    component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    entry: { title: texts.navigation.webhooks, icon: 'webhooks' },
  },
  {
    path: paths.audit,
    permission: 'view',
    component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
    entry: { title: texts.navigation.audit, icon: 'audit' },
  },
  {
    path: paths.system,
    permission: 'view',
    component: lazyRouteComponent(() => import('./system/system-page.tsx'), 'SystemPage'),
    entry: { title: texts.navigation.system, icon: 'system' },
  },
  {
    path: paths.settings,
    permission: 'view',
    component: lazyRouteComponent(() => import('./system/settings-page.tsx'), 'SettingsPage'),
  },
  {
    path: paths.operators,
    permission: 'view',
    component: lazyRouteComponent(() => import('./system/operators-page.tsx'), 'OperatorsPage'),
  },
];
