/** The dialog for writes: the effect from a dry run, a reason, and one button that names the effect. */
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Alert, Button, Fieldset, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { App } from '../app.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { TraceId } from '../ui/page.tsx';
import { toMessage } from '../ui/wording.ts';
import { readAmount } from './amounts.ts';
import { useClose } from './closing.tsx';
import { Dialog, DialogEnd } from './dialog.tsx';
import { useDraft } from './drafts.ts';
import { bindTo, type Fields } from './fields.tsx';
import { type FormErrors, formErrors, hasFieldIn } from './form-errors.ts';
import type { useStopping } from './stopping.ts';
import { texts } from './texts.ts';
import { isUnknownOutcome, usePreview, useSending, type WithReason, type Write } from './use-action.ts';

export const REASON_MAX = 500;

type Stopping = Pick<ReturnType<typeof useStopping>, 'isStopping' | 'stop'>;

export type ActionProps<Draft extends object, Preview, Result> = Write<Draft, Preview, Result> & {
  readonly title: string;
  /** Names the draft: the action and its subject. */
  readonly form: string;
  readonly initial?: Draft;
  readonly fields?: ((form: Fields<Draft>) => ReactNode) | undefined;
  /** Why the form cannot be sent yet. */
  readonly check?: (draft: Draft) => string | undefined;
  /** Problems by field, shown when the operator has left the field or sent the form. */
  readonly problems?: (draft: Draft) => Readonly<Record<string, string | undefined>>;
  readonly isEmpty?: (draft: Draft) => boolean;
  readonly showPreview?: (preview: Preview | undefined, draft: Draft) => ReactNode;
  readonly hasEffect?: (preview: Preview) => boolean;
  readonly submit: string | ((preview: Preview | undefined, draft: Draft) => string);
  readonly isDangerous?: boolean;
  /** An amount that the operator must type to confirm a large write. */
  readonly typed?: (preview: Preview | undefined) => string | undefined;
  readonly hasReason?: boolean;
  readonly size?: 'md' | 'lg';
  /** The progress of the dry run or the write, if it takes many requests. The operator can stop such a write. */
  readonly progress?: ReactNode;
};

export function ActionDialog<Draft extends object, Preview, Result>(
  props: ActionProps<Draft, Preview, Result>,
) {
  const { title, initial, fields, submit, hasReason = false, isDangerous = false } = props;
  const { draft, change, clear, forget, unsettled, isRestored } = useDraft(props.form, {
    reason: '',
    ...initial,
  } as Draft & WithReason);
  const changeFields = (changes: Partial<Draft>) => change(changes as Partial<Draft & WithReason>);
  const findProblem = (tried: Draft) => props.check?.(tried) ?? Object.values(problemsIn(props, tried))[0];
  const { preview, isStale, reload } = usePreview(
    props.form,
    draft,
    props.preview,
    (tried: Draft) => unsettled.get() === undefined && findProblem(tried) === undefined,
  );
  const typedAmount = props.typed?.(preview?.data);
  const [typed, setTyped] = useState('');
  const sending = useSending(props, draft, preview, {
    clear,
    reload,
    close: useClose(),
    unsettled,
    isBulk: props.progress !== undefined,
  });
  const { isUnsettled } = sending;
  // A page that is loaded again keeps the entries; who closes the form discards them.
  useEffect(() => forget, [forget]);
  const form = useRef<HTMLFormElement>(null);
  const hasField = hasFieldIn(form.current);
  const sent = formErrors(sending.error, hasField);
  const previewed = formErrors(preview?.error, hasField);
  const [isChecked, setChecked] = useState(false);
  const [isDiscarded, setDiscarded] = useState(false);
  const [left, setLeft] = useState<readonly string[]>([]);
  const ownErrors = Object.entries(problemsIn(props, draft)).filter(
    ([name]) => isChecked || left.includes(name),
  );
  const errors = {
    ...previewed.fields,
    ...sending.stillSent(draft, sent.fields),
    ...Object.fromEntries(ownErrors),
  };
  const reasonProblem =
    hasReason && !isWithin(draft.reason.trim(), 1, REASON_MAX) ? common.reasonMissing : undefined;
  const typedProblem = findTypedProblem(typed, typedAmount);
  const problem = findProblem(draft) ?? reasonProblem ?? typedProblem;
  const isEmpty = props.isEmpty?.(draft) === true;
  const close = useClose();
  const first = use(App).toFirst(preview?.data);
  const review =
    first &&
    (() => {
      close();
      first.open();
    });
  const hasPreview =
    props.preview === undefined
      ? !isUnsettled && props.showPreview !== undefined
      : !isUnsettled && findProblem(draft) === undefined;
  const isVain = preview?.data !== undefined && props.hasEffect?.(preview.data) === false;
  const isDisabled = !isUnsettled && (preview?.error !== undefined || isVain || isEmpty);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isDisabled) return;
    flushSync(() => setChecked(true));
    if (sending.isSending) return;
    if (isUnsettled || (problem === undefined && !isStale)) void sending.send();
    else focusInvalid(form.current);
  };
  useEffect(() => {
    if (sending.error !== undefined) focusInvalid(form.current);
  }, [sending.error]);
  return (
    <Dialog title={title} size={props.size ?? 'md'} isBusy={sending.isSending}>
      <form
        ref={form}
        noValidate
        onSubmit={send}
        onBlur={({ target, relatedTarget }) => {
          // A message above a button would move the button away from the pointer.
          if (!(relatedTarget instanceof HTMLButtonElement)) setLeft((before) => [...before, toName(target)]);
        }}
        onKeyDown={onSubmitKey(review ?? send)}
      >
        <Stack>
          {isUnsettled && !sending.isSending ? (
            <Unsettled discard={sending.settle} />
          ) : isSame(sending.error, preview?.error) ? null : (
            <Problem error={sending.error} errors={sent} />
          )}
          {isRestored && !isUnsettled && !isDiscarded ? (
            <Group gap={4}>
              <Hint span>{texts.action.restored}</Hint>
              <Button
                variant="subtle"
                size="compact-sm"
                ml={-8}
                onClick={() => {
                  clear();
                  setDiscarded(true);
                }}
              >
                {texts.action.discard}
              </Button>
            </Group>
          ) : null}
          <Fieldset variant="unstyled" disabled={isUnsettled}>
            <Stack>
              {fields?.({
                draft,
                change: changeFields,
                errors,
                bind: bindTo<Draft>(draft, changeFields, errors),
              })}
              {hasReason ? (
                <ReasonField
                  reason={draft.reason}
                  error={errors['reason'] ?? (isChecked ? reasonProblem : undefined)}
                  setReason={(reason) => change({ reason } as Partial<Draft & WithReason>)}
                />
              ) : null}
            </Stack>
          </Fieldset>
          <DialogEnd>
            {hasPreview && !isAtFields(previewed) ? (
              <output className="preview" aria-label={texts.action.preview} data-stale={isStale}>
                {preview?.error !== undefined ? (
                  isUnknownOutcome(preview.error) ? (
                    <>
                      <p>{texts.action.noPreview}</p>
                      <Button size="compact-sm" onClick={reload}>
                        {common.retry}
                      </Button>
                    </>
                  ) : (
                    <Problem error={preview.error} errors={previewed} />
                  )
                ) : preview === undefined && props.preview !== undefined ? (
                  (props.progress ?? texts.action.previewLoading)
                ) : (
                  props.showPreview?.(preview?.data, draft)
                )}
                {first?.notice}
              </output>
            ) : null}
            {typedAmount === undefined ? null : (
              <Fieldset variant="unstyled" disabled={isUnsettled}>
                <AmountField
                  amount={typedAmount}
                  typed={typed}
                  setTyped={setTyped}
                  error={isChecked ? typedProblem : undefined}
                />
              </Fieldset>
            )}
            {isChecked &&
            !isUnsettled &&
            !sending.isSending &&
            problem !== undefined &&
            props.check?.(draft) !== undefined ? (
              <Text c="var(--bad)" role="alert">
                {problem}
              </Text>
            ) : null}
            {sending.isSending ? props.progress : null}
            <FormButtons
              isDangerous={isDangerous}
              // Without a field, the button has the focus, so that the form's shortcuts work.
              hasFocus={fields === undefined && !hasReason}
              isSending={sending.isSending}
              isWaiting={isStale && !isUnsettled}
              isDisabled={isDisabled}
              review={review}
              stopping={props.progress === undefined ? undefined : sending.stopping}
            >
              {isUnsettled || isUnknownOutcome(sending.error)
                ? common.retry
                : typeof submit === 'string'
                  ? submit
                  : submit(preview?.data, draft)}
            </FormButtons>
          </DialogEnd>
        </Stack>
      </form>
    </Dialog>
  );
}

/** An amount or a number may be typed in any unambiguous form. */
export function findTypedProblem(typed: string, wanted: string | undefined): string | undefined {
  if (wanted === undefined || typed.trim() === wanted) return undefined;
  const amount = readAmount(typed);
  return amount !== undefined && amount === readAmount(wanted) ? undefined : common.typeAmountWrong(wanted);
}

export const onSubmitKey = (send: (event: FormEvent) => unknown) => (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
};

export function FormButtons(props: {
  readonly isSending: boolean;
  readonly isDisabled: boolean;
  readonly isDangerous: boolean;
  readonly isWaiting?: boolean;
  readonly hasFocus?: boolean;
  /** Opens a request that should be decided first; sending is then the second choice. */
  readonly review?: (() => void) | undefined;
  readonly stopping?: Stopping | undefined;
  readonly children: string;
}) {
  const { isSending, isDisabled, isDangerous, isWaiting = false, hasFocus = false, review, stopping } = props;
  const close = useClose();
  return (
    <Group justify="flex-end">
      {isSending && stopping !== undefined ? (
        <Button size="sm" disabled={stopping.isStopping} onClick={stopping.stop}>
          {stopping.isStopping ? texts.steps.stopping : texts.steps.stop}
        </Button>
      ) : (
        <Button size="sm" data-autofocus={hasFocus || undefined} disabled={isSending} onClick={close}>
          {common.cancel}
        </Button>
      )}
      {review === undefined ? null : (
        <Button variant="filled" size="sm" onClick={review}>
          {common.reviewRequest}
        </Button>
      )}
      <Button
        variant={review === undefined ? 'filled' : 'default'}
        size="sm"
        type="submit"
        loading={isSending}
        aria-disabled={isWaiting}
        disabled={isDisabled}
        color={isDangerous && review === undefined ? 'bad' : 'indigo'}
      >
        {review === undefined ? props.children : texts.action.anyway(props.children)}
      </Button>
    </Group>
  );
}

/** A field that cut off a pasted text would send another text than the person meant. */
export const isWithin = (text: string, least: number, most: number) =>
  [...text].length >= least && [...text].length <= most;

export function ReasonField(props: {
  readonly reason: string;
  readonly error: string | undefined;
  readonly setReason: (reason: string) => void;
}) {
  return (
    <Textarea
      label={common.reason}
      description={texts.action.reasonHint}
      data-field="reason"
      data-autofocus
      autosize
      minRows={2}
      value={props.reason}
      error={props.error}
      onChange={({ currentTarget }) => props.setReason(currentTarget.value)}
    />
  );
}

export function AmountField(props: {
  readonly amount: string;
  readonly typed: string;
  readonly error: string | undefined;
  readonly setTyped: (typed: string) => void;
}) {
  return (
    <TextInput
      label={texts.action.typeAmount(props.amount)}
      value={props.typed}
      error={props.error}
      onChange={({ currentTarget }) => props.setTyped(currentTarget.value)}
    />
  );
}

function problemsIn<Draft extends object>(
  { problems }: Pick<ActionProps<Draft, never, never>, 'problems'>,
  draft: Draft,
): Readonly<Record<string, string>> {
  const found = Object.entries(problems?.(draft) ?? {});
  return Object.fromEntries(
    found.flatMap(([name, problem]) => (problem === undefined ? [] : [[name, problem]])),
  );
}

function isAtFields({ fields, rest }: FormErrors): boolean {
  return Object.keys(fields).length > 0 && rest.length === 0;
}

/** True if the dry run found the same problem as the write. */
function isSame(sent: unknown, previewed: unknown): boolean {
  if (previewed === undefined || isUnknownOutcome(sent)) return false;
  return toMessage(sent) === toMessage(previewed);
}

function focusInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] input')?.focus();
}

/** A field that is not a plain input has its name in `data-field`. */
function toName(field: HTMLElement): string {
  return field.dataset['field'] ?? field.getAttribute('name') ?? '';
}

function Problem({ error, errors }: { readonly error: unknown; readonly errors: FormErrors }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== undefined) box.current?.focus();
  }, [error]);
  if (error === undefined || (error instanceof KeyportError && error.status === 401)) return null;
  if (isAtFields(errors)) return null;
  const message = errors.rest.length > 0 ? errors.rest.join(' ') : toMessage(error);
  const isChanged = error instanceof KeyportError && error.status === 412;
  return (
    <Alert ref={box} tabIndex={-1} mb={0} color="bad" role="alert">
      <p>{isChanged ? texts.action.changed : isUnknownOutcome(error) ? texts.action.unknown : message}</p>
      {error instanceof KeyportError && error.status < 500 ? null : <TraceId error={error} />}
    </Alert>
  );
}

function Unsettled({ discard }: { readonly discard: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Alert ref={box} tabIndex={-1} mb={0} color="bad" role="alert">
      <p>{texts.action.unknown}</p>
      <Button variant="subtle" size="compact-sm" h="auto" ml={-8} className="sentence" onClick={discard}>
        {texts.action.beginAgain}
      </Button>
    </Alert>
  );
}
