import { texts } from '../texts.ts';
import { Badge, type Look } from '../ui/values.tsx';
import type { Account } from './account-data.ts';

const LOOKS = {
  active: ['good', 'check'],
  suspended: ['warn', 'held'],
  closed: ['neutral', 'lock'],
} as const satisfies Record<Account['status'], Look>;

export function AccountStatus({ status }: Pick<Account, 'status'>) {
  return <Badge look={LOOKS[status]}>{texts.accounts.statuses[status]}</Badge>;
}
