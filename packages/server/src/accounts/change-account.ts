import type { Account, AccountPatchBody } from '@keyport/contract/accounts/accounts';
import { formatMinor } from '@keyport/core/money';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import { applyBody, changedSettings, formatAccount } from './account-settings.ts';
import * as sql from './accounts.sql.ts';

export async function createAccount(tx: Tx, acting: Acting & { readonly body: AccountPatchBody }) {
  const settings = applyBody(acting.body);
  const created = await sql.insertAccount(tx, settings);
  const data = changedSettings(undefined, settings);
  await audit(tx, acting, 'account.create', { accountId: created.id, data });
  return formatAccount(created);
}

/** Throws not-found and conflict. */
export async function changeAccount(
  tx: Tx,
  acting: Acting,
  accountId: string,
  body: AccountPatchBody,
  alsoChanged: Readonly<Record<string, unknown>> = {},
): Promise<Account> {
  const before = requireFound(await sql.lockAccount(tx, accountId), 'account');
  const after = { ...before, ...applyBody(body, before) };
  const changes = changedSettings(before, after);
  if (Object.keys(changes).length > 0) {
    await requireAllowedChange(tx, before, after);
    await sql.updateAccount(tx, before.id, after);
  }
  const data = { ...changes, ...alsoChanged };
  await audit(tx, acting, 'account.update', { accountId: before.id, data });
  const { status } = after;
  if (status !== before.status) {
    const event = { type: 'account.status_changed', accountId: before.id, data: { status } } as const;
    await logChanges(tx, { events: [event] });
  }
  return formatAccount(after);
}

/** Throws conflict. */
async function requireAllowedChange(
  tx: Tx,
  before: sql.AccountRecord,
  after: sql.AccountSettings,
): Promise<void> {
  if (before.status === 'closed')
    throw conflict('The account is closed, which is final. Create a new account instead.');
  if (after.status !== 'closed') return;
  if (before.balanceMinor > 0) {
    const balance = formatMinor(before.balanceMinor);
    const message = `The account still holds ${balance} EUR and can be closed only when its balance is 0. Book a payout first.`;
    throw conflict(message, { balance });
  }
  if (await sql.hasOpenOrder(tx, before.id)) {
    throw conflict(
      'The account has an order that is not finished. Release, refund or cancel it first, or suspend the account.',
    );
  }
}
