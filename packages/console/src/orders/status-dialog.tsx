/** Hold, release or cancel an order, with a look at what that does. */

import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast, Undo } from '../ui/toasts.tsx';
import { type WritePreview, WritePreviewFacts } from '../ui/write-preview.tsx';
import type { OrderWithLog } from './order-data.ts';

export type StatusAction = 'hold' | 'release' | 'cancel';

const STATUS_OPERATIONS = {
  hold: 'holdOrder',
  release: 'releaseOrder',
  cancel: 'cancelOrder',
} as const;

export function StatusDialog(props: {
  readonly name: StatusAction;
  readonly order: Pick<OrderWithLog, 'id'>;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}) {
  const { name, order, onClose } = props;
  const { title, submit, done, says } = texts.orderActions[name];
  const params = { orderId: order.id };
  const write = (client: typeof admin, reason: string, dryRun: boolean, idempotencyKey?: string) =>
    client
      .call(
        STATUS_OPERATIONS[name],
        { params, body: { reason, ...(dryRun ? { dryRun } : {}) } },
        { idempotencyKey },
      )
      .withResponse();
  return (
    <ActionDialog<object, WritePreview>
      onClose={onClose}
      title={title(order.id)}
      form={`${name}:${order.id}`}
      preview={({ reason }) => write(admin, reason, true) as Promise<never>}
      showPreview={(preview) => (
        <>
          <p>{says}</p>
          <WritePreviewFacts preview={preview} />
        </>
      )}
      submit={() => submit}
      isDangerous={name === 'cancel'}
      run={({ reason }, { client, idempotencyKey }) => write(client, reason, false, idempotencyKey)}
      onDone={() => {
        toast(name === 'hold' ? <Undo text={done} undo={() => release(order.id)} /> : done);
        props.onDone?.();
      }}
    />
  );
}

async function release(orderId: string): Promise<void> {
  await admin.releaseOrder({ params: { orderId }, body: { reason: texts.action.undone } });
  void queryClient.invalidateQueries();
}
