/** The dialogs of operators' writes, with what only these have: previews of money and stock, and approvals. */

import { BODIES } from 'virtual:bodies/operator';
import { FORM_FIELDS } from '@keyport/contract/form-fields';
import type {
  OperatorAnswer,
  OperatorInput,
  OperatorOperation,
  WritePreview,
} from '@keyport/sdk-source/admin';
import type { ReactNode } from 'react';
import { admin } from '../api/admin.ts';
import type { BodyDraft, FormFields } from '../forms/body-form.ts';
import { type DialogProps, OperationDialog } from '../forms/operation-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatAmount, submitText, toastApproval, typedAmount, WritePreviewFacts } from './write-preview.tsx';

type Part<Name extends OperatorOperation, Member extends string> =
  OperatorInput<Name> extends Readonly<Partial<Record<Member, infer Value>>> ? Value : never;

type Props<Name extends OperatorOperation> = Omit<
  DialogProps<WritePreview, OperatorAnswer<Name>>,
  'title' | 'submit' | 'done' | 'params' | 'body'
> & {
  readonly operation: Name;
  readonly params?: Part<Name, 'params'>;
  readonly body?: Partial<Part<Name, 'body'>>;
  readonly title: string | ((of: string) => string);
  /** The subject that the title names. */
  readonly of?: string;
  /** The effect of the write. */
  readonly says?: ReactNode | ((draft: BodyDraft) => ReactNode);
  readonly account?: string;
  readonly submit: string | ((draft: BodyDraft) => string);
  /** The button with the amount that the write moves. */
  readonly submitAmount?: (amount: string) => string;
  readonly done?: ReactNode | ((answer: OperatorAnswer<Name>, amount: string) => ReactNode);
};

export function Operate<Name extends OperatorOperation>(props: Props<Name>) {
  const { operation, title, of = '', says, account, submit, submitAmount, done, ...others } = props;
  const schema = BODIES[operation];
  const hasPreview = schema?.properties?.['dryRun'] !== undefined;
  const fields: FormFields = { ...FORM_FIELDS }[operation as keyof typeof FORM_FIELDS] ?? {};
  const toSays = (draft: BodyDraft) => (typeof says === 'function' ? says(draft) : says);
  return (
    <OperationDialog<WritePreview, OperatorAnswer<Name>>
      {...((hasPreview || says !== undefined) && {
        showPreview: (preview, draft) =>
          hasPreview ? (
            <WritePreviewFacts says={toSays(draft)} preview={preview} account={account} />
          ) : (
            toSays(draft)
          ),
      })}
      typed={typedAmount}
      onDone={({ data, isWaiting, preview }) => {
        const amount = formatAmount(preview?.amount ?? '0.00');
        // Other writes return 202 if they continue later.
        if (isWaiting && hasPreview) toastApproval(amount);
        else toast(typeof done === 'function' ? done(data, amount) : done);
      }}
      {...(others as Partial<DialogProps<WritePreview, OperatorAnswer<Name>>>)}
      operation={{
        name: operation,
        schema,
        fields,
        call: (input, options) => admin.call(operation, input as unknown as OperatorInput<Name>, options),
        preview: (input) => admin.preview(operation as never, input as never),
      }}
      title={typeof title === 'string' ? title : title(of)}
      submit={(preview, draft) => {
        const text = typeof submit === 'function' ? submit(draft) : submit;
        return submitAmount === undefined ? text : submitText(preview, text, submitAmount);
      }}
    />
  );
}
