import type { OperatorAnswer, OperatorElement } from '@keyport/sdk/admin';
import { useRead } from '../api/queries.ts';

export type Account = OperatorElement<'listAccounts'>;
export type AccountClient = OperatorElement<'listClients'>;
export type Endpoint = OperatorAnswer<'listAccountWebhookEndpoints'>[number];
export type Delivery = OperatorElement<'listAccountWebhookDeliveries'>;

const LIVE_MS = 10_000;

export function useAccount(accountId: string) {
  return useRead('getAccount', { params: { accountId } }, { everyMs: LIVE_MS });
}
