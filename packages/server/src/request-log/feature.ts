import type { Access } from '../access/feature.ts';
import { findAccount } from '../accounts/accounts.sql.ts';
import type { Orders } from '../orders/feature.ts';
import type { Platform } from '../platform.ts';
import { type HistoryQuery, readHistory } from './read-requests.ts';
import { RequestLog } from './request-log.ts';
import { buildRequestHandlers } from './requests.routes.ts';

export type Requests = ReturnType<typeof openRequests>;

export function openRequests(
  { config, database, clock, log }: Platform,
  { toAddress }: Access,
  { findCreatedBodies }: Orders,
) {
  const requestLog = new RequestLog({
    database,
    toAddress,
    nowMs: () => clock.nowMs(),
    isForCheckup: config.mode === 'sandbox',
    onFailure: (error) =>
      log.warn({ err: error }, 'writing or deleting logged requests failed; the log may be incomplete'),
  });
  return {
    handlers: buildRequestHandlers(
      database,
      findCreatedBodies,
      () => requestLog.written(),
      (accountId) => findAccount(database.db, accountId),
    ),
    log: requestLog,
    /** Includes what this node has not written yet. */
    async readHistory(accountId: string, query: HistoryQuery) {
      await requestLog.written();
      return readHistory(database.db, accountId, query);
    },
    start: () => requestLog.start(),
    close: () => requestLog.close(),
  };
}
