/** Searches all kinds concurrently, each within its time limit. A411. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  SEARCH_KINDS,
  type SearchGroup,
  type SearchKind,
  type SearchMatch,
} from '@keyport/contract/operators/desk';
import type { Permission } from '@keyport/contract/roles';
import { likelyOrderIdStart } from '@keyport/core/ids';
import { readAccounts } from '../accounts/read-accounts.ts';
import { readAudit } from '../audit/read-audit.ts';
import type { Database } from '../db/engines/database.ts';
import { isTimeout } from '../db/errors.ts';
import { runTransaction } from '../db/transaction.ts';
import { readOffers, readProducts, readSellers } from '../listings/read-listings.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { hasPermission } from '../operations/permission.ts';
import { findOrders } from '../orders/history/list-all-orders.ts';
import { findById, findPeople } from './search.sql.ts';

const LIMIT = 5;
/** Limits each statement and each kind. The embedded engine has one session, so kinds wait for each other. */
const KIND_MAX_MS = { postgres: 250, embedded: 2_000 };
const PAYMENT = /^(?:charge|refund)-(\d{14,16})$/;
const DIGITS = /^\d{2,16}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_START = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;
const REFERENCE_LENGTH_MAX = 64;
type Found = Pick<SearchGroup, 'matches' | 'more'>;
type Text = {
  readonly typed: string;
  /** Excludes blanks, because lists show the digits of order ids in groups of four. */
  readonly id: string;
};

/** Undefined if the text cannot match this kind. */
type Finder = (database: Database, text: Text) => Promise<Found> | undefined;

type Named = Pick<SearchMatch, 'id' | 'name'>;

const toName = ({ id, name }: Named): Named => ({ id, name });

const FINDERS: Readonly<Record<SearchKind, Finder>> = {
  order(database, { id }) {
    const [, paid] = PAYMENT.exec(id) ?? [];
    if (paid !== undefined) return ordersBy(database, { orderId: paid });
    const start = likelyOrderIdStart(id);
    if (start !== undefined && !DIGITS.test(id)) return ordersBy(database, { orderIdPart: start });
    if (DIGITS.test(id)) {
      const exact = ordersBy(database, { orderIdPart: id });
      if (start === undefined) return exact;
      return exact.then((found) =>
        found.matches.length > 0 ? found : ordersBy(database, { orderIdPart: start }),
      );
    }
    if (UUID.test(id)) return ordersBy(database, { idempotencyKey: id });
    return TRACE_ID.test(id) ? ordersBy(database, { traceId: id }) : undefined;
  },
  reference: (database, { typed }) =>
    typed.length > REFERENCE_LENGTH_MAX ? undefined : ordersBy(database, { referencePart: typed }),
  claim: (database, { id }) => (id.startsWith('clm_') ? named(database, findById('claim'), id) : undefined),
  reservation: (database, { id }) =>
    id.startsWith('rsv_') ? named(database, findById('reservation'), id) : undefined,
  trace: (database, { id }) =>
    TRACE_ID.test(id)
      ? listed(readAudit(database, { traceId: id, limit: 1 }, false), () => ({ id, name: id }))
      : undefined,
  account: (database, { typed }) =>
    listed(readAccounts(database, { query: { query: typed, limit: LIMIT } }), toName),
  product: (database, { typed }) =>
    listed(readProducts(database, { query: typed, limit: LIMIT }, ''), toName),
  offer: (database, { id }) =>
    UUID_START.test(id)
      ? listed(readOffers(database, { query: id, limit: LIMIT }, 0), (offer) => ({
          id: offer.id,
          name: offer.productName,
          detail: offer.sellerName,
        }))
      : undefined,
  seller: (database, { typed }) => listed(readSellers(database, { query: typed, limit: LIMIT }), toName),
  person: (database, { typed }) => named(database, findPeople, typed),
};

const PERMISSIONS: Readonly<Partial<Record<SearchKind, Permission>>> = { person: 'internal' };

export async function searchAll(
  database: Database,
  { body, principal }: OperationRequest<'search'>,
): Promise<SearchGroup[]> {
  const typed = body.query.trim();
  const text = { typed, id: typed.replaceAll(/\s/g, '').toLowerCase() };
  const maxMs = KIND_MAX_MS[database.kind];
  const limited = { ...database, statementTimeoutMs: maxMs };
  const groups = await Promise.all(
    SEARCH_KINDS.map(async (kind) => {
      if (!hasPermission(principal.operatorRole, PERMISSIONS[kind] ?? 'view')) return undefined;
      const found = FINDERS[kind](limited, text);
      return found && { kind, ...(await inTime(found, maxMs)) };
    }),
  );
  return groups.flatMap((group) => (group && (group.late || group.matches.length > 0) ? [group] : []));
}

async function inTime(work: Promise<Found>, maxMs: number): Promise<Omit<SearchGroup, 'kind'>> {
  const late = { matches: [], more: false, late: true };
  const found = work.then(
    (found) => ({ ...found, late: false }),
    (error: unknown) => {
      if (isTimeout(error)) return late;
      throw error;
    },
  );
  return Promise.race([found, sleep(maxMs, late, { ref: false })]);
}

function ordersBy(database: Database, filter: Parameters<typeof findOrders>[1]): Promise<Found> {
  return listed(findOrders(database, filter, LIMIT), (order) => {
    const { id, accountId, accountName, reference, status, transactions = [] } = order;
    const sum = (name: 'invoiced' | 'refunded') =>
      transactions.flatMap(({ items }) => items).reduce((total, { quantity }) => total + quantity[name], 0);
    return {
      id,
      name: accountName,
      detail: reference ?? null,
      accountId,
      order: { status, unitsPaid: sum('invoiced'), unitsRefunded: sum('refunded') },
    };
  });
}

async function listed<Row>(
  list: Promise<{ readonly data: readonly Row[]; readonly meta: object }>,
  show: (row: Row) => Named & Partial<SearchMatch>,
): Promise<Found> {
  const { data, meta } = await list;
  const matches = data.map((row) => ({ detail: null, accountId: null, ...show(row) }));
  return { matches, more: 'hasMore' in meta && meta.hasMore === true };
}

async function named(database: Database, find: typeof findPeople, text: string): Promise<Found> {
  const found = await runTransaction(database, { isSnapshot: true }, (tx) => find(tx, text, LIMIT + 1));
  return { matches: found.slice(0, LIMIT), more: found.length > LIMIT };
}
