import { randomUUID } from 'node:crypto';
import type { AccountPatchBody } from '@keyport/contract/accounts/accounts';
import type { SandboxAccountBody } from '@keyport/contract/sandbox/sandbox';
import { must } from '@keyport/core/assert';
import { formatMinor, toMinor } from '@keyport/core/money';
import { formatOwnAccount } from '../accounts/account-settings.ts';
import { lockAccount } from '../accounts/accounts.sql.ts';
import { changeAccount } from '../accounts/change-account.ts';
import { changesBetween } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import { type BookingDeps, bookMoney } from '../ledger/book-money.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { findRateLimits, updateRateLimits } from './rate-limits.sql.ts';

const PAYING_CUSTOMER = 'sim_ok';

export async function updateAccount(
  tx: Tx,
  request: OperationRequest<'updateSandboxAccount'>,
  deps: BookingDeps,
) {
  const { balance, ...settings } = request.body;
  const { accountId } = request.principal;
  const before = must(await lockAccount(tx, accountId), 'the account of a token');
  const rateLimits = await changeRateLimits(tx, accountId, settings.limits);
  // Before the balance, because a balance below its new threshold causes an event.
  const body = withCustomer(settings, before.gatewayCustomer);
  const account = await changeAccount(tx, request, accountId, body, rateLimits.changes);
  const balanceMinor = balance === undefined ? before.balanceMinor : toMinor(balance);
  const changeMinor = balanceMinor - before.balanceMinor;
  if (changeMinor !== 0) {
    const reference = `sandbox-${randomUUID()}`;
    const booking = { kind: 'adjustment', changeMinor, reference, reason: 'changed in the sandbox' } as const;
    await bookMoney(tx, { ...request, accountId, booking }, deps);
  }
  const limits = { ...account.limits, ...rateLimits.after };
  return { ...formatOwnAccount({ ...account, balance: formatMinor(balanceMinor) }), limits };
}

async function changeRateLimits(tx: Tx, accountId: string, limits: SandboxAccountBody['limits'] = {}) {
  const before = await findRateLimits(tx, accountId);
  const { readsPerSecondMax = before.readsPerSecondMax, ordersPerSecondMax = before.ordersPerSecondMax } =
    limits;
  const after = { readsPerSecondMax, ordersPerSecondMax };
  const changes = changesBetween(before, after, ['readsPerSecondMax', 'ordersPerSecondMax']);
  if (Object.keys(changes).length > 0) await updateRateLimits(tx, accountId, after);
  return { after, changes };
}

function withCustomer(
  settings: Omit<SandboxAccountBody, 'balance'>,
  gatewayCustomer: string | null,
): AccountPatchBody {
  const needsCustomer = settings.paymentMethod === 'gateway' && gatewayCustomer === null;
  return needsCustomer ? { ...settings, gatewayCustomer: PAYING_CUSTOMER } : settings;
}
