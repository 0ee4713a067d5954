/** The dialog of an operation, made from its body: fields, limits, dry run, reason, confirmation and button. */
import type { Answered, Call, CallOptions } from '@keyport/sdk-source/admin';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { useRef, useState } from 'react';
import { newUuid } from '../api/uuid.ts';
import { ActionDialog, type ActionProps } from './action-dialog.tsx';
import { BodyFields } from './body-fields.tsx';
import { type BodyDraft, type BodySchema, type FormFields, toBodyForm } from './body-form.ts';
import type { Find } from './search-select.tsx';
import { texts } from './texts.ts';

type Input = { readonly params: Readonly<Record<string, string>>; readonly body?: object };

type Operation<Preview, Result> = {
  readonly name: string;
  readonly schema: BodySchema | undefined;
  readonly fields: FormFields;
  readonly call: (input: Input, options: CallOptions) => Call<Result> | Promise<Answered<Result>>;
  readonly preview: (input: Input) => Promise<{ readonly preview: Preview; readonly etag: string }>;
};

export type DialogProps<Preview, Result> = Pick<
  ActionProps<BodyDraft, Preview, Result>,
  'title' | 'isDangerous' | 'showPreview' | 'submit' | 'typed' | 'hasEffect'
> &
  Partial<Pick<ActionProps<BodyDraft, Preview, Result>, 'onDone' | 'problems'>> & {
    readonly params?: Readonly<Record<string, string>>;
    /** The parameter whose value the form makes; a retry keeps it. */
    readonly makesId?: string;
    readonly toParams?: (draft: BodyDraft) => Readonly<Record<string, string>>;
    /** Members of the body that are given, so that they have no field. */
    readonly body?: object;
    /** Members of the body that no draft stores, such as product keys. */
    readonly toSecrets?: () => object;
    /** The first values of the fields. */
    readonly values?: object;
    /** Reads the values of the fields again, before a changed one is sent. */
    readonly reread?: (() => Promise<object>) | undefined;
    /** Fields that this form leaves out. */
    readonly without?: readonly string[];
    readonly finds?: Readonly<Record<string, Find>>;
    /** Fields that are not in the body. */
    readonly more?: ActionProps<BodyDraft, Preview, Result>['fields'];
  };

export function OperationDialog<Preview, Result>(
  props: DialogProps<Preview, Result> & { readonly operation: Operation<Preview, Result> },
) {
  const { operation, params = {}, makesId, body, reread, without = [], finds = {}, more } = props;
  // The values at the time of opening: the page keeps reading, and what someone else changed is no edit of this form.
  const [values] = useState(props.values ?? {});
  const seen = useRef(values);
  const { schema, name, call, preview } = operation;
  const members = schema?.properties ?? {};
  const hasReason = 'reason' in members && !('reason' in operation.fields);
  // Given changes are complete; other given members only have no field.
  const isComplete = body !== undefined && schema?.minProperties !== undefined;
  const given = [...without, ...Object.keys(body ?? {})];
  const fields = isComplete
    ? []
    : Object.entries(operation.fields).filter(([field]) => !given.includes(field));
  const form = toBodyForm(schema ?? {}, Object.fromEntries(fields), { values, finds });
  /** Throws a conflict, once for each change of someone else. */
  const requireSeen = async (draft: BodyDraft) => {
    if (reread === undefined) return;
    const [before, now] = [seen.current, await reread()];
    seen.current = now;
    const errors = form.changedElsewhere(draft, before, now).map(([field, value]) => ({
      field,
      code: 'conflict',
      message: texts.action.changedTo(String(value ?? '')),
    }));
    if (errors.length > 0)
      throw new KeyportError({ status: 409, code: 'conflict', message: texts.action.changed, errors });
  };
  const toInput = (draft: BodyDraft & { readonly reason: string }): Input => ({
    params: {
      ...params,
      ...props.toParams?.(draft),
      ...(makesId !== undefined && { [makesId]: String(draft[makesId]) }),
    },
    ...(schema && {
      body: {
        ...form.toBody(draft),
        ...body,
        ...props.toSecrets?.(),
        ...(hasReason && { reason: draft.reason }),
      },
    }),
  });
  return (
    <ActionDialog<BodyDraft, Preview, Result>
      onDone={() => {}}
      {...props}
      check={form.check}
      {...((fields.length > 0 || more !== undefined) && {
        fields: (shown) => (
          <>
            <BodyFields {...shown} shown={form.shownIn(shown.draft)} hasFocus={!hasReason} />
            {more?.(shown)}
          </>
        ),
      })}
      problems={(draft) => ({ ...form.problems(draft), ...props.problems?.(draft) })}
      initial={makesId === undefined ? form.initial : { ...form.initial, [makesId]: newUuid() }}
      form={[name, ...Object.values(params), JSON.stringify(body)].join(':')}
      hasReason={hasReason}
      {...('dryRun' in members && { preview: (draft) => preview(toInput(draft)) })}
      run={async (draft, options) => {
        await requireSeen(draft);
        const sent = call(toInput(draft), options);
        return 'withResponse' in sent ? sent.withResponse() : sent;
      }}
    />
  );
}
