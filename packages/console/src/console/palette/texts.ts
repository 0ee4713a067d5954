/** Texts of the palette, which the first screen does not need. */
import { common, isolated } from '../../texts.ts';

const { navigation, catalogueParts } = common;
const OPERATORS = 'Operators';
const SETTINGS = 'Settings';

export const texts = {
  placeholder: 'An id, reference, key, page, action, account, product or seller',
  findCode: 'Find the order of this key',
  nothing: 'Nothing found',
  searching: 'Searching …',
  found: 'Found',
  pages: 'Pages',
  here: 'Here',
  actions: 'Actions',
  operators: OPERATORS,
  settings: SETTINGS,
  order: (id: string) => `Order ${id}`,
  /** Words that find a page without being in its title. */
  also: new Map<string, string>([
    [navigation.orders, 'refund cancel hold purchases'],
    [navigation.held, 'release review'],
    [navigation.claims, 'complaints support'],
    [navigation.accounts, 'resellers customers credit limits balance deposit'],
    [navigation.imports, 'upload csv'],
    [navigation.finance, 'books ledger statements payouts'],
    [navigation.reports, 'sales turnover statistics'],
    [navigation.webhooks, 'endpoints deliveries'],
    [navigation.audit, 'log history'],
    [navigation.system, 'health nodes invariants'],
    [catalogueParts.products, 'games'],
    [catalogueParts.offers, 'prices stock keys'],
    [OPERATORS, 'people team users roles'],
    [SETTINGS, 'configuration'],
    [common.profile, 'password notifications time zone'],
  ]),
  kinds: {
    order: (id: string, account: string) => `Order ${id} of ${isolated(account)}`,
    reference: (id: string, account: string, reference: string) =>
      `Order ${id} of ${isolated(account)}: ${isolated(reference)}`,
    claim: (id: string, account: string) => `Claim ${id.slice(0, 12)} of ${isolated(account)}`,
    reservation: (id: string, account: string) => `Reservation ${id.slice(0, 12)} of ${isolated(account)}`,
    trace: () => 'Audit log entries of this request',
    account: (_: string, name: string) => `Account ${isolated(name)}`,
    product: (_: string, name: string) => `Product ${isolated(name)}`,
    offer: (_: string, product: string, seller: string) =>
      `Offer of ${isolated(product)} from ${isolated(seller)}`,
    seller: (_: string, name: string) => `Seller ${isolated(name)}`,
    person: (_: string, name: string, email: string) => `Operator ${isolated(name)}, ${isolated(email)}`,
  },
  lists: {
    order: 'orders',
    reference: 'orders with this in the reference',
    claim: 'claims',
    reservation: 'reservations',
    trace: 'audit log entries',
    account: 'accounts',
    product: 'products',
    offer: 'offers',
    seller: 'sellers',
    person: 'operators',
  },
  more: (things: string) => `All ${things} …`,
  late: (things: string) => `Still searching: ${things}`,
} as const;
