/** Approves or rejects several requests. */
import { admin } from '../api/admin.ts';
import { type BulkAction, BulkDialog, type Plan, type Ready } from '../operate/bulk-dialog.tsx';
import { computeSum } from '../orders/order-data.ts';
import { common, formatCount, formatMoney } from '../texts.ts';
import { texts } from './texts.ts';

export type BulkName = 'approve' | 'reject';

export function BulkApprove(props: {
  readonly name: BulkName;
  readonly ids: readonly string[];
  readonly onFailed: (ids: readonly string[]) => void;
}) {
  const { name, ids, onFailed } = props;
  const words = texts.bulk[name];
  const toInput = (approvalId: string, reason: string) => ({
    params: { approvalId },
    body: reason === '' ? {} : { reason },
  });
  const action: BulkAction<Plan> = {
    key: [name],
    title: words.title,
    name: (id) => <code>{id}</code>,
    preview: name === 'approve' ? previewApproval : readApproval,
    send: ({ id }, reason, options) =>
      (name === 'approve'
        ? admin.approveWrite(toInput(id, reason), options)
        : admin.rejectWrite(toInput(id, reason), options)
      ).withResponse(),
    toFacts: (ready) => ({
      [texts.bulk.possible]: formatCount(ready.length),
      [common.amount]: formatMoney(toSum(ready)),
    }),
    ...(name === 'approve' ? { toTyped: toSum } : {}),
    done: words.done,
    stopped: words.stopped,
    isDangerous: name === 'reject',
    reason: 'optional',
  };
  return <BulkDialog action={action} ids={ids} onFailed={onFailed} />;
}

const toSum = (ready: readonly Ready<Plan>[]) => computeSum(ready.map(({ plan }) => plan.amount));

async function previewApproval(approvalId: string): Promise<Plan> {
  const { preview, etag } = await admin.preview('approveWrite', { params: { approvalId }, body: {} });
  return { amount: preview.amount, etag: etag || undefined };
}

/** A rejection has no preview. */
async function readApproval(approvalId: string): Promise<Plan> {
  const { amount } = await admin.getApproval({ params: { approvalId } });
  return { amount, etag: undefined };
}
