import { admin } from '../api/admin.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { WritePreviewFacts } from '../forms/write-preview.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import type { OrderKey } from './order-data.ts';

export function ReplaceDialog(props: { readonly orderId: string; readonly orderKey: OrderKey }) {
  const { orderId, orderKey } = props;
  const inputOf = (reason: string) => ({ params: { orderId }, body: { reason, keyId: orderKey.id } });
  return (
    <ActionDialog
      title={texts.replaceKey.title(orderKey.maskedCode)}
      form={`replace:${orderId}:${orderKey.id}`}
      hasReason
      preview={({ reason }) => admin.preview('replaceKey', inputOf(reason))}
      showPreview={(preview) => (
        <WritePreviewFacts
          says="This key leaves the order and is never sold again. The order gets another key of the same offer. No money moves."
          preview={preview}
        />
      )}
      submit="Replace key"
      run={({ reason }, options) => admin.replaceKey(inputOf(reason), options)}
      onDone={() => toast('Key replaced. The reseller reads the new one.')}
    />
  );
}
