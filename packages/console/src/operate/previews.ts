/** The previews of operators' writes: money, stock and approvals. */
import { admin } from '../api/admin.ts';
import type { App } from '../app.ts';
import { formatAmount, submitText, toastApproval, typedAmount, WritePreviewFacts } from './write-preview.tsx';

export const PREVIEWS: NonNullable<App['previews']> = {
  load: (operation, input) => admin.preview(operation as never, input as never),
  Facts: WritePreviewFacts,
  typed: typedAmount,
  toSubmit: submitText,
  toAmount: formatAmount,
  onWaiting: toastApproval,
};
