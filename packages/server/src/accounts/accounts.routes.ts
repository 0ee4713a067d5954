/** Creates, shows and changes accounts. R23. Closing is final; only an account without money closes. */
import type { Account, AccountPatchBody } from '@keyport/contract/accounts/accounts';
import { buildMeta } from '@keyport/contract/envelope';
import type { NewEvent } from '@keyport/core/events';
import { formatMinor } from '@keyport/core/money';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import { isByCursor } from '@keyport/http/validation/list-cursor';
import { pagingOf } from '@keyport/http/validation/paging';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { orderOf, readListPage } from '../operations/list-page.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { applyBody, changedSettings, formatAccount } from './account-settings.ts';
import {
  type AccountRecord,
  type AccountSettings,
  accountsList,
  countAccounts,
  findAccount,
  hasOpenOrder,
  insertAccount,
  listAccounts,
  loadAccounts,
  lockAccount,
  updateAccount,
} from './accounts.sql.ts';

export type AccountDeps = {
  readonly database: Database;
  /** Called after commit, so that this node forgets what it knew of the account (A24). */
  readonly onAccountChanged: (accountId: string) => void;
};

export function buildAccountHandlers({
  database,
  onAccountChanged,
}: AccountDeps): Pick<OperationHandlers, 'createAccount' | 'listAccounts' | 'getAccount' | 'updateAccount'> {
  return {
    createAccount(request) {
      const settings = applyBody(request.body);
      return async (tx) => {
        const created = await insertAccount(tx, settings);
        const data = changedSettings(undefined, settings);
        await insertAudit(tx, auditRecord(request, 'account.create', { accountId: created.id, data }));
        return { status: 201, data: formatAccount(created) };
      };
    },

    async listAccounts({ query }) {
      if (isByCursor(query, ['query', 'status', 'sort'])) {
        const list = accountsList(query, orderOf(query.sort ?? 'createdAt'));
        const idOf = ({ position }: AccountRecord) => position;
        const wanted = { name: 'accounts', query, list, load: loadAccounts, idOf };
        const { rows, meta } = await readListPage(database, wanted);
        return { status: 200, data: rows.map(formatAccount), meta };
      }
      const paging = pagingOf(query);
      const accounts = await listAccounts(database.kysely, paging);
      const totalResults = await countAccounts(database.kysely);
      return {
        status: 200,
        data: accounts.map(formatAccount),
        meta: buildMeta({ ...paging, totalResults }),
      };
    },

    async getAccount({ params }) {
      const account = await findAccount(database.kysely, params.accountId);
      return { status: 200, data: formatAccount(requireFound(account, 'account')) };
    },

    updateAccount: (request) => async (tx) => {
      const data = await changeAccount(tx, request, request.params.accountId, request.body);
      return { status: 200, data, onCommitted: () => onAccountChanged(data.id) };
    },
  };
}

function statusEvent(accountId: string, status: string): NewEvent {
  return { type: 'account.status_changed', accountId, data: { status } };
}

/** Throws not-found and conflict. */
export async function changeAccount(
  tx: Tx,
  acting: Acting,
  accountId: string,
  body: AccountPatchBody,
  alsoChanged: Readonly<Record<string, unknown>> = {},
): Promise<Account> {
  const before = requireFound(await lockAccount(tx, accountId), 'account');
  const after = { ...before, ...applyBody(body, before) };
  const changes = changedSettings(before, after);
  if (Object.keys(changes).length > 0) {
    await rejectForbiddenChange(tx, before, after);
    await updateAccount(tx, before.id, after);
  }
  const data = { ...changes, ...alsoChanged };
  await insertAudit(tx, auditRecord(acting, 'account.update', { accountId: before.id, data }));
  if (after.status !== before.status)
    await logChanges(tx, { events: [statusEvent(before.id, after.status)] });
  return formatAccount(after);
}

/** Closing is final, and nothing that a closed account cannot reach any more may be left in it. Throws conflict. */
async function rejectForbiddenChange(tx: Tx, before: AccountRecord, after: AccountSettings): Promise<void> {
  if (before.status === 'closed') {
    throw new ApiError('conflict', {
      message: 'The account is closed, which is final. Create a new account instead.',
    });
  }
  if (after.status !== 'closed') return;
  if (before.balanceMinor > 0) {
    const balance = formatMinor(before.balanceMinor);
    throw new ApiError('conflict', {
      message: `The account still holds ${balance} EUR and can be closed when its balance is 0. Book a payout of it first.`,
      data: { balance },
    });
  }
  if (await hasOpenOrder(tx, before.id)) {
    throw new ApiError('conflict', {
      message:
        'The account has an order that is not finished. Release, refund or cancel it first, or suspend the account.',
    });
  }
}
