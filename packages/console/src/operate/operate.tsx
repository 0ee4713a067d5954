/** The dialogs of writes. Those of operators also preview what money and stock move. */
import { BODIES } from 'virtual:bodies';
import { FORM_FIELDS } from '@keyport/contract/form-fields';
import type { WritePreview } from '@keyport/sdk-source/admin';
import { type ReactNode, use } from 'react';
import { type Answer, appClient, type Input, type OperationName } from '../api/queries.ts';
import { App } from '../app.ts';
import type { BodyDraft, FormFields } from '../forms/body-form.ts';
import { type DialogProps, OperationDialog } from '../forms/operation-dialog.tsx';
import { toast } from '../ui/toasts.tsx';

type Part<Name extends OperationName, Member extends string> =
  Input<Name> extends Readonly<Partial<Record<Member, infer Value>>> ? Value : never;

type Props<Name extends OperationName> = Omit<
  DialogProps<WritePreview, Answer<Name>>,
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
  readonly done?: ReactNode | ((answer: Answer<Name>, amount: string) => ReactNode);
};

export function Operate<Name extends OperationName>(props: Props<Name>) {
  const { operation, title, of = '', says, account, submit, submitAmount, done, ...others } = props;
  const schema = BODIES[operation];
  const app = use(App);
  const previews = schema?.properties?.['dryRun'] === undefined ? undefined : app.previews;
  const fields: FormFields = { ...FORM_FIELDS }[operation as keyof typeof FORM_FIELDS] ?? {};
  const toSays = (draft: BodyDraft) => (typeof says === 'function' ? says(draft) : says);
  return (
    <OperationDialog<WritePreview, Answer<Name>>
      {...((previews !== undefined || says !== undefined) && {
        showPreview: (preview, draft) =>
          previews === undefined ? (
            toSays(draft)
          ) : (
            <previews.Facts says={toSays(draft)} preview={preview} account={account} />
          ),
      })}
      typed={(preview) => previews?.typed(preview)}
      onDone={({ data, isWaiting, preview }) => {
        const amount = previews?.toAmount(preview?.amount ?? '0.00') ?? '';
        // Other writes return 202 if they continue later.
        if (isWaiting && previews !== undefined) previews.onWaiting(amount);
        else toast(typeof done === 'function' ? done(data, amount) : done);
      }}
      {...(others as Partial<DialogProps<WritePreview, Answer<Name>>>)}
      operation={{
        name: operation,
        schema,
        fields,
        call: (input, options) => appClient().call(operation, input as unknown as Input<Name>, options),
        preview: async (input) => {
          if (previews === undefined) throw new Error('no write of members has a preview');
          return previews.load(operation, input);
        },
      }}
      title={typeof title === 'string' ? title : title(of)}
      submit={(preview, draft) => {
        const text = typeof submit === 'function' ? submit(draft) : submit;
        return submitAmount === undefined ? text : (previews?.toSubmit(preview, text, submitAmount) ?? text);
      }}
    />
  );
}
