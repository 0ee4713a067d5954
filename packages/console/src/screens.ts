/** Every screen: its route, its entry in the navigation, in the palette and among the shortcuts, and who may see it. */
import type { Permission } from '@keyport/contract/roles';
import type { ComponentType } from 'react';
import { paths } from './paths.ts';
import type { texts } from './texts.ts';
import type { IconName } from './ui/icons.tsx';

export type Screen = {
  readonly path: string;
  /** `view` unless given. */
  readonly permission?: Permission;
  /** Loaded when the screen is opened. */
  readonly load: () => Promise<ComponentType>;
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
    load: () => import('./home/home.tsx').then(({ Home }) => Home),
    entry: { icon: 'home', key: 'h' },
  },
  {
    path: paths.orders,
    load: () => import('./orders/orders-list.tsx').then(({ OrdersList }) => OrdersList),
    entry: { icon: 'orders', key: 'o' },
  },
  {
    path: '/orders/$orderId',
    load: () => import('./orders/order-page.tsx').then(({ OrderPage }) => OrderPage),
  },
  {
    path: paths.rejections,
    load: () => import('./orders/rejections.tsx').then(({ Rejections }) => Rejections),
  },
  {
    path: paths.held,
    load: () => import('./held/held.tsx').then(({ Held }) => Held),
    entry: { icon: 'held', key: 'q', count: 'held' },
  },
  {
    path: paths.claims,
    load: () => import('./claims/claims-list.tsx').then(({ ClaimsList }) => ClaimsList),
    entry: { icon: 'claims', key: 'l', count: 'claims' },
  },
  {
    path: '/claims/$claimId',
    load: () => import('./claims/claim-page.tsx').then(({ ClaimPage }) => ClaimPage),
  },
  {
    path: paths.findKey,
    permission: 'orders',
    load: () => import('./keys/find-key.tsx').then(({ FindKey }) => FindKey),
  },
  {
    path: paths.accounts,
    load: () => import('./accounts/accounts-list.tsx').then(({ AccountsList }) => AccountsList),
    entry: { icon: 'accounts', key: 'a' },
  },
  {
    path: '/accounts/$accountId',
    load: () => import('./accounts/account-page.tsx').then(({ AccountPage }) => AccountPage),
  },
  {
    path: paths.catalogue,
    load: () => import('./catalogue/products-list.tsx').then(({ ProductsList }) => ProductsList),
    entry: { icon: 'catalogue', key: 'c' },
  },
  {
    path: '/catalogue/products/$productId',
    load: () => import('./catalogue/product-page.tsx').then(({ ProductPage }) => ProductPage),
  },
  { path: paths.offers, load: () => import('./offers/offers-list.tsx').then(({ OffersList }) => OffersList) },
  {
    path: '/catalogue/offers/$offerId',
    load: () => import('./offers/offer-page.tsx').then(({ OfferPage }) => OfferPage),
  },
  {
    path: paths.sellers,
    load: () => import('./catalogue/sellers-list.tsx').then(({ SellersList }) => SellersList),
  },
  {
    path: '/catalogue/sellers/$sellerId',
    load: () => import('./catalogue/seller-page.tsx').then(({ SellerPage }) => SellerPage),
  },
  {
    path: paths.imports,
    load: () => import('./imports/imports-page.tsx').then(({ ImportsPage }) => ImportsPage),
    entry: { icon: 'imports', key: 'i' },
  },
  { path: '/imports/$runId', load: () => import('./imports/run-page.tsx').then(({ RunPage }) => RunPage) },
  {
    path: paths.reports,
    load: () => import('./reports/reports.tsx').then(({ Reports }) => Reports),
    entry: { icon: 'reports', key: 'r' },
  },
  {
    path: paths.finance,
    permission: 'internal',
    load: () => import('./finance/finance.tsx').then(({ Finance }) => Finance),
    entry: { icon: 'finance', key: 'f' },
  },
  {
    path: paths.payments,
    load: () => import('./payments/payments-list.tsx').then(({ PaymentsList }) => PaymentsList),
    entry: { icon: 'payments' },
  },
  {
    path: paths.approvals,
    load: () => import('./approvals/approvals-list.tsx').then(({ ApprovalsList }) => ApprovalsList),
    entry: { icon: 'approvals', count: 'approvals' },
  },
  {
    path: '/approvals/$approvalId',
    load: () => import('./approvals/approval-page.tsx').then(({ ApprovalPage }) => ApprovalPage),
  },
  { path: paths.profile, load: () => import('./profile/profile.tsx').then(({ Profile }) => Profile) },
  {
    path: paths.webhooks,
    load: () => import('./webhooks/webhooks-page.tsx').then(({ WebhooksPage }) => WebhooksPage),
    entry: { icon: 'webhooks' },
  },
  {
    path: paths.incidents,
    load: () => import('./incidents/incidents.tsx').then(({ Incidents }) => Incidents),
    entry: { icon: 'incidents' },
  },
  {
    path: paths.audit,
    load: () => import('./audit/audit-page.tsx').then(({ AuditPage }) => AuditPage),
    entry: { icon: 'audit' },
  },
  {
    path: paths.system,
    load: () => import('./system/system-page.tsx').then(({ SystemPage }) => SystemPage),
    entry: { icon: 'system' },
  },
  {
    path: paths.settings,
    load: () => import('./system/settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
  },
  {
    path: paths.operators,
    load: () => import('./system/operators-page.tsx').then(({ OperatorsPage }) => OperatorsPage),
  },
];
