/** Addresses of the console's pages. */
export const paths = {
  home: '/',
  orders: '/orders',
  order: (id: string) => `/orders/${id}`,
  held: '/held',
  accounts: '/accounts',
  account: (id: string) => `/accounts/${id}`,
  catalogue: '/catalogue',
  imports: '/imports',
  finance: '/finance',
  payments: '/payments',
  approvals: '/approvals',
  webhooks: '/webhooks',
  audit: '/audit',
  system: '/system',
  profile: '/profile',
} as const;
