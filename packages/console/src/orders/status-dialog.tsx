import { admin } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { WritePreviewFacts } from '../forms/write-preview.tsx';
import { texts } from '../texts.ts';
import { toast, Undo } from '../ui/toasts.tsx';
import type { OrderWithLog } from './order-data.ts';

const OPERATIONS = { hold: 'holdOrder', release: 'releaseOrder', cancel: 'cancelOrder' } as const;

export function StatusDialog(props: {
  readonly name: keyof typeof OPERATIONS;
  readonly order: Pick<OrderWithLog, 'id'>;
}) {
  const { name, order } = props;
  const { title, submit, done, says } = texts.orderActions[name];
  const inputOf = (reason: string) => ({ params: { orderId: order.id }, body: { reason } });
  return (
    <ActionDialog
      title={title(order.id)}
      form={`${name}:${order.id}`}
      hasReason
      preview={({ reason }) => admin.preview(OPERATIONS[name], inputOf(reason))}
      showPreview={(preview) => <WritePreviewFacts says={says} preview={preview} />}
      submit={submit}
      isDangerous={name === 'cancel'}
      run={({ reason }, options) => admin.call(OPERATIONS[name], inputOf(reason), options)}
      onDone={() => toast(name === 'hold' ? <Undo text={done} undo={() => release(order.id)} /> : done)}
    />
  );
}

async function release(orderId: string): Promise<void> {
  await admin.releaseOrder({ params: { orderId }, body: { reason: 'Undone' } });
  void queryClient.invalidateQueries();
}
