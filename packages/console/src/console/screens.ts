/**
 * Every screen: its route, its entry in the navigation, the palette and the shortcuts, and its permission.
 */
import type { Permission } from '@keyport/contract/roles';
import { type ComponentType, createElement, type ReactElement } from 'react';
import { useSession } from '../api/session.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { paths } from '../url.ts';

export type Screen = Options & { readonly path: string; readonly load: () => Promise<ComponentType> };

type Options = {
  /** Defaults to `view`. */
  readonly permission?: Permission;
  /** The icon in the navigation; the title is the text of the same name. */
  readonly icon?: IconName & keyof typeof common.navigation;
  readonly startsGroup?: true;
  /** Pressed after `g`. */
  readonly key?: string;
  readonly count?: 'held' | 'claims' | 'approvals';
};

function screen<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
  options: Options = {},
): Screen {
  return { path, load: async () => (await load())[name], ...options };
}

export const SCREENS: readonly Screen[] = [
  screen(paths.home, 'Home', () => import('../home/home.tsx'), { icon: 'home', key: 'h' }),
  screen(paths.orders, 'OrdersList', () => import('../orders/orders-list.tsx'), { icon: 'orders', key: 'o' }),
  screen(paths.order('$orderId'), 'OrderPage', () => import('../orders/order-page.tsx')),
  screen(paths.rejections, 'Rejections', () => import('../orders/rejections.tsx')),
  screen(paths.held, 'Held', () => import('../held/held.tsx'), { icon: 'held', key: 'q', count: 'held' }),
  screen(paths.claims, 'ClaimsList', () => import('../claims/claims-list.tsx'), {
    icon: 'claims',
    key: 'l',
    count: 'claims',
  }),
  screen(paths.claim('$claimId'), 'ClaimPage', () => import('../claims/claim-page.tsx')),
  screen(paths.findKey, 'FindKey', () => import('../keys/find-key.tsx'), { permission: 'orders' }),
  screen(paths.accounts, 'AccountsList', () => import('../accounts/accounts-list.tsx'), {
    icon: 'accounts',
    key: 'a',
    startsGroup: true,
  }),
  screen(paths.account('$accountId'), 'AccountPage', () => import('../accounts/account-page.tsx')),
  screen(paths.catalogue, 'ProductsList', () => import('../catalogue/products-list.tsx'), {
    icon: 'catalogue',
    key: 'c',
  }),
  screen(paths.product('$productId'), 'ProductPage', () => import('../catalogue/product-page.tsx')),
  screen(paths.offers, 'OffersList', () => import('../offers/offers-list.tsx')),
  screen(paths.offer('$offerId'), 'OfferPage', () => import('../offers/offer-page.tsx')),
  screen(paths.sellers, 'SellersList', () => import('../catalogue/sellers-list.tsx')),
  screen(paths.seller('$sellerId'), 'SellerPage', () => import('../catalogue/seller-page.tsx')),
  screen(paths.imports, 'ImportsPage', () => import('../imports/imports-page.tsx'), {
    icon: 'imports',
    key: 'i',
  }),
  screen(paths.importRun('$runId'), 'RunPage', () => import('../imports/run-page.tsx')),
  screen(paths.reports, 'Reports', () => import('../reports/reports.tsx'), {
    icon: 'reports',
    key: 'r',
    startsGroup: true,
  }),
  screen(paths.finance, 'Finance', () => import('../finance/finance.tsx'), {
    permission: 'internal',
    icon: 'finance',
    key: 'f',
  }),
  screen(paths.payments, 'PaymentsList', () => import('../payments/payments-list.tsx'), { icon: 'payments' }),
  screen(paths.approvals, 'ApprovalsList', () => import('../approvals/approvals-list.tsx'), {
    icon: 'approvals',
    count: 'approvals',
  }),
  screen(paths.approval('$approvalId'), 'ApprovalPage', () => import('../approvals/approval-page.tsx')),
  screen(paths.profile, 'Profile', () => import('../profile/profile.tsx')),
  screen(paths.webhooks, 'WebhooksPage', () => import('../webhooks/webhooks-page.tsx'), {
    icon: 'webhooks',
    startsGroup: true,
  }),
  screen(paths.audit, 'AuditPage', () => import('../audit/audit-page.tsx'), { icon: 'audit' }),
  screen(paths.system, 'SystemPage', () => import('../system/system-page.tsx'), { icon: 'system' }),
  screen(paths.incidents, 'Incidents', () => import('../incidents/incidents.tsx')),
  screen(paths.settings, 'SettingsPage', () => import('../system/settings-page.tsx')),
  screen(paths.operators, 'OperatorsPage', () => import('../system/operators-page.tsx')),
];

type Action = {
  readonly label: string;
  readonly icon: IconName;
  readonly permission: Permission;
  /** The path of a page, or a dialog. */
  readonly opens: string | ReactElement;
};

const inDialog = (load: () => Promise<ComponentType>) => createElement(lazyPart(load));

/** Actions that the palette offers on every page. A screen can show one as a button. */
const ACTIONS: readonly Action[] = [
  {
    label: common.newAccount,
    icon: 'accounts',
    permission: 'administer',
    opens: inDialog(async () => (await import('../accounts/account-dialogs.tsx')).NewAccountDialog),
  },
  {
    label: common.newProduct,
    icon: 'catalogue',
    permission: 'catalogue',
    opens: inDialog(async () => (await import('../catalogue/product-dialog.tsx')).NewProductDialog),
  },
  {
    label: common.newOffer,
    icon: 'catalogue',
    permission: 'catalogue',
    opens: inDialog(async () => (await import('../offers/offer-dialog.tsx')).NewOfferDialog),
  },
  {
    label: common.newSeller,
    icon: 'catalogue',
    permission: 'catalogue',
    opens: inDialog(async () => (await import('../catalogue/sellers-list.tsx')).SellerDialog),
  },
  {
    label: common.inviteOperator,
    icon: 'person',
    permission: 'administer',
    opens: inDialog(async () => (await import('../system/operator-dialogs.tsx')).NewOperator),
  },
  { label: common.importFile, icon: 'imports', permission: 'catalogue', opens: paths.imports },
  { label: common.findKey, icon: 'key', permission: 'orders', opens: paths.findKey },
];

/** The actions that the operator's role allows. */
export function useActions(): readonly Action[] {
  const { permissions } = useSession();
  return ACTIONS.filter(({ permission }) => permissions.includes(permission));
}

/** The screens of the navigation that the operator's role may see. */
export function useEntries() {
  const { permissions } = useSession();
  return SCREENS.flatMap(({ permission = 'view', icon, ...entry }) =>
    icon !== undefined && permissions.includes(permission)
      ? [{ ...entry, icon, title: common.navigation[icon] }]
      : [],
  );
}
