/** Replace a key that does not work by another one of the same offer. */
import { admin } from '../api/admin.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { type WritePreview, WritePreviewFacts } from '../ui/write-preview.tsx';
import type { OrderKey } from './order-data.ts';

export function ReplaceDialog(props: {
  readonly orderId: string;
  readonly orderKey: OrderKey;
  readonly onClose: () => void;
}) {
  const { orderId, orderKey, onClose } = props;
  const params = { orderId };
  const body = (reason: string) => ({ reason, keyId: orderKey.id });
  return (
    <ActionDialog<object, WritePreview>
      onClose={onClose}
      title={texts.replaceKey.title(orderKey.maskedCode)}
      form={`replace:${orderId}:${orderKey.id}`}
      preview={({ reason }) =>
        admin.replaceKey({ params, body: { ...body(reason), dryRun: true } }).withResponse() as Promise<never>
      }
      showPreview={(preview) => (
        <>
          <p>{texts.replaceKey.says}</p>
          <WritePreviewFacts preview={preview} />
        </>
      )}
      submit={() => texts.replaceKey.submit}
      run={({ reason }, { client, idempotencyKey }) =>
        client.replaceKey({ params, body: body(reason) }, { idempotencyKey }).withResponse()
      }
      onDone={() => toast(texts.replaceKey.done)}
    />
  );
}
