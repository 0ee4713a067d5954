/** Every screen: its route, its entry in the navigation, in the palette and among the shortcuts, and who may see it. */
import type { Permission } from '@keyport/contract/roles';
import { lazyRouteComponent as lazy } from '@tanstack/react-router';
import { paths } from './paths.ts';
import type { texts } from './texts.ts';
import type { IconName } from './ui/icons.tsx';

export type Screen = {
  readonly path: string;
  /** `view` unless given. */
  readonly permission?: Permission;
  /** Loaded when the screen is opened. */
  readonly component: ReturnType<typeof lazy>;
  /** In the navigation; its title is the text of that name. */
  readonly entry?: {
    readonly icon: IconName & keyof typeof texts.navigation;
    /** After `g`. */
    readonly key?: string;
    readonly count?: 'held' | 'claims' | 'approvals';
  };
};

export const SCREENS: readonly Screen[] = [
  {
    path: paths.home,
    component: lazy(() => import('./home/home.tsx'), 'Home'),
    entry: { icon: 'home', key: 'h' },
  },
  {
    path: paths.orders,
    component: lazy(() => import('./orders/orders-list.tsx'), 'OrdersList'),
    entry: { icon: 'orders', key: 'o' },
  },
  { path: '/orders/$orderId', component: lazy(() => import('./orders/order-page.tsx'), 'OrderPage') },
  { path: paths.rejections, component: lazy(() => import('./orders/rejections.tsx'), 'Rejections') },
  {
    path: paths.held,
    component: lazy(() => import('./held/held.tsx'), 'Held'),
    entry: { icon: 'held', key: 'q', count: 'held' },
  },
  {
    path: paths.claims,
    component: lazy(() => import('./claims/claims-list.tsx'), 'ClaimsList'),
    entry: { icon: 'claims', key: 'l', count: 'claims' },
  },
  { path: '/claims/$claimId', component: lazy(() => import('./claims/claim-page.tsx'), 'ClaimPage') },
  {
    path: paths.findKey,
    permission: 'orders',
    component: lazy(() => import('./keys/find-key.tsx'), 'FindKey'),
  },
  {
    path: paths.accounts,
    component: lazy(() => import('./accounts/accounts-list.tsx'), 'AccountsList'),
    entry: { icon: 'accounts', key: 'a' },
  },
  {
    path: '/accounts/$accountId',
    component: lazy(() => import('./accounts/account-page.tsx'), 'AccountPage'),
  },
  {
    path: paths.catalogue,
    component: lazy(() => import('./catalogue/products-list.tsx'), 'ProductsList'),
    entry: { icon: 'catalogue', key: 'c' },
  },
  {
    path: '/catalogue/products/$productId',
    component: lazy(() => import('./catalogue/product-page.tsx'), 'ProductPage'),
  },
  { path: paths.offers, component: lazy(() => import('./offers/offers-list.tsx'), 'OffersList') },
  {
    path: '/catalogue/offers/$offerId',
    component: lazy(() => import('./offers/offer-page.tsx'), 'OfferPage'),
  },
  { path: paths.sellers, component: lazy(() => import('./catalogue/sellers-list.tsx'), 'SellersList') },
  {
    path: '/catalogue/sellers/$sellerId',
    component: lazy(() => import('./catalogue/seller-page.tsx'), 'SellerPage'),
  },
  {
    path: paths.imports,
    component: lazy(() => import('./imports/imports-page.tsx'), 'ImportsPage'),
    entry: { icon: 'imports', key: 'i' },
  },
  { path: '/imports/$runId', component: lazy(() => import('./imports/run-page.tsx'), 'RunPage') },
  {
    path: paths.reports,
    component: lazy(() => import('./reports/reports.tsx'), 'Reports'),
    entry: { icon: 'reports', key: 'r' },
  },
  {
    path: paths.finance,
    component: lazy(() => import('./finance/finance.tsx'), 'Finance'),
    entry: { icon: 'finance', key: 'f' },
  },
  {
    path: paths.payments,
    component: lazy(() => import('./payments/payments-list.tsx'), 'PaymentsList'),
    entry: { icon: 'payments' },
  },
  {
    path: paths.approvals,
    component: lazy(() => import('./approvals/approvals-list.tsx'), 'ApprovalsList'),
    entry: { icon: 'approvals', count: 'approvals' },
  },
  {
    path: '/approvals/$approvalId',
    component: lazy(() => import('./approvals/approval-page.tsx'), 'ApprovalPage'),
  },
  { path: paths.profile, component: lazy(() => import('./profile/profile.tsx'), 'Profile') },
  {
    path: paths.webhooks,
    component: lazy(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    entry: { icon: 'webhooks' },
  },
  {
    path: paths.incidents,
    component: lazy(() => import('./incidents/incidents.tsx'), 'Incidents'),
    entry: { icon: 'incidents' },
  },
  {
    path: paths.audit,
    component: lazy(() => import('./audit/audit-page.tsx'), 'AuditPage'),
    entry: { icon: 'audit' },
  },
  {
    path: paths.system,
    component: lazy(() => import('./system/system-page.tsx'), 'SystemPage'),
    entry: { icon: 'system' },
  },
  { path: paths.settings, component: lazy(() => import('./system/settings-page.tsx'), 'SettingsPage') },
  { path: paths.operators, component: lazy(() => import('./system/operators-page.tsx'), 'OperatorsPage') },
];
