/** Which keys a refund of some units takes, and the way to another one: the service takes the last ones. */
import { Button } from '@mantine/core';
import { texts } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { type OrderWithLog, useOrderKeys } from './order-data.ts';
import type { OrderKey } from './replace-dialog.tsx';

export function RefundedKeys(props: {
  readonly order: OrderWithLog;
  readonly keyIds: readonly string[];
  readonly onReplace: (key: OrderKey) => void;
}) {
  const { order, keyIds, onReplace } = props;
  const { data: keys = [] } = useOrderKeys(order);
  const taken = keys.filter(({ id }) => keyIds.includes(id));
  const others = keys.filter(
    ({ id, refundedAt, replacedAt }) => !keyIds.includes(id) && refundedAt === null && replacedAt === null,
  );
  // Nothing to choose: the refund takes them all.
  if (taken.length === 0 || others.length === 0) return null;
  return (
    <>
      <Facts facts={[[texts.orderActions.refund.takes, <Codes key="codes" keys={taken} />]]} />
      <p className="hint">{texts.orderActions.refund.takesLast}</p>
      <div className="other-keys">
        {others.map((key) => (
          <Button
            key={key.id}
            size="compact-xs"
            variant="default"
            aria-label={texts.replaceKey.title(key.maskedCode)}
            onClick={() => onReplace(key)}
          >
            {texts.orderActions.refund.replace(key.maskedCode)}
          </Button>
        ))}
      </div>
    </>
  );
}

function Codes({ keys }: { readonly keys: readonly OrderKey[] }) {
  return keys.map(({ id, maskedCode, readAt }) => (
    <div key={id}>
      <code>{maskedCode}</code> {readAt === null ? texts.orderKeys.notRead : texts.orderKeys.wasRead}
    </div>
  ));
}
