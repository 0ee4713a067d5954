import type { OperatorAnswer, OperatorElement } from '@keyport/sdk-source/admin';
import { useRead } from '../api/queries.ts';
import { Badge, type Look } from '../ui/values.tsx';
import { texts } from './texts.ts';

export type Account = OperatorElement<'listAccounts'>;
export type AccountClient = OperatorElement<'listClients'>;
export type Endpoint = OperatorAnswer<'listAccountWebhookEndpoints'>[number];

export function useAccount(accountId: string) {
  return useRead('getAccount', { params: { accountId } }, { everyMs: 10_000 });
}

const LOOKS = {
  active: ['good', 'check'],
  suspended: ['warn', 'held'],
  closed: ['neutral', 'lock'],
} as const satisfies Record<Account['status'], Look>;

export function AccountStatus({ status }: Pick<Account, 'status'>) {
  return <Badge look={LOOKS[status]}>{texts.accounts.statuses[status]}</Badge>;
}
