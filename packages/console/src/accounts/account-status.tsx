import { texts } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { Badge, type Tone } from '../ui/values.tsx';
import type { Account } from './account-data.ts';

const LOOKS = {
  active: ['good', 'check'],
  suspended: ['warn', 'held'],
  closed: ['neutral', 'lock'],
} as const satisfies Record<Account['status'], readonly [Tone, IconName]>;

export function AccountStatus({ status }: Pick<Account, 'status'>) {
  const [tone, icon] = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {texts.accounts.statuses[status]}
    </Badge>
  );
}
