import type { Exchange } from '@keyport/http/server/exchange';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { deleteSession, deleteSessionsOf } from './sessions.sql.ts';
import { actingOf, type SignInDeps } from './sign-in.ts';

export async function endSession(deps: SignInDeps, exchange: Exchange, isEverywhere: boolean): Promise<void> {
  const { token, operator } = await deps.sessions.require(exchange.request);
  const acting = actingOf(deps, exchange, operator);
  const action = isEverywhere ? 'operator.sign-out-everywhere' : 'operator.sign-out';
  await runTransaction(deps.database, {}, async (tx) => {
    await (isEverywhere ? deleteSessionsOf(tx, operator.id) : deleteSession(tx, token.mac));
    await insertAudit(tx, auditRecord(acting, action, { data: {} }));
  });
}
