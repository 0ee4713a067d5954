/**
 * The one dialog of writes: what happens, as the service calculates it (a dry run), a reason, one button that names it. The write happens only in
 * the state that the preview has shown, and once, however often it is sent.
 */

import { type KeyportAdmin, KeyportConnectionError, KeyportError } from '@keyport/sdk/admin';
import { Alert, Button, Modal, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { admin, adminIf } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { texts } from '../texts.ts';
import { useDraft } from './drafts.ts';
import { type FormErrors, formErrors, hasFieldIn } from './form-errors.ts';
import { messageOf, TraceId } from './states.tsx';

/** What a call of the client resolves to `withResponse()`. */
type Answered<T> = { readonly data: T; readonly response: Response };
type Sending = { readonly client: KeyportAdmin; readonly idempotencyKey: string };

export type ActionProps<Draft extends object, Preview> = {
  readonly onClose: () => void;
  readonly title: string;
  /** Names the draft: the action and what it is done to. */
  readonly form: string;
  /** Of its fields, if it has any. */
  readonly initial?: Draft;
  /** Besides the reason. `errors`, by field: of `problems`, and of the service. */
  readonly fields?: (
    draft: Draft,
    change: (changes: Partial<Draft>) => void,
    errors: Readonly<Record<string, string>>,
  ) => ReactNode;
  /** Why it cannot be sent yet. */
  readonly check?: (draft: Draft) => string | undefined;
  /** What is wrong, by field. Shown once the field, whose input has that name, was left or the form was sent. */
  readonly problems?: (draft: Draft) => Readonly<Record<string, string | undefined>>;
  /** Nothing is chosen yet, so the button waits. */
  readonly isEmpty?: (draft: Draft) => boolean;
  /** A dry run. Left out: nothing to preview. */
  readonly preview?: (draft: Draft & WithReason) => Promise<Answered<Preview>>;
  readonly showPreview?: (preview: Preview | undefined) => ReactNode;
  /** Whether it would change anything. */
  readonly hasEffect?: (preview: Preview) => boolean;
  readonly submit: (preview: Preview | undefined) => string;
  readonly isDangerous?: boolean;
  /** An amount that has to be typed, when much is at stake. */
  readonly typed?: (preview: Preview | undefined) => string | undefined;
  readonly hasReason?: boolean;
  readonly run: (draft: Draft & WithReason, sending: Sending) => Promise<Answered<unknown>>;
  /** 202: a second person has to approve it first. */
  readonly onDone: (result: {
    readonly data: unknown;
    readonly isWaiting: boolean;
    readonly preview: Preview | undefined;
  }) => void;
};

type WithReason = { readonly reason: string };

/** Before a reason is given the dry run has to do without it. */
const REASON_OF_PREVIEW = 'preview';
const PREVIEW_PAUSE_MS = 200;

export function ActionDialog<Draft extends object, Preview>(props: ActionProps<Draft, Preview>) {
  const { onClose, title, initial, fields, hasReason = true, isDangerous = false } = props;
  const { draft, change, clear } = useDraft(props.form, { ...initial, reason: '' } as Draft & WithReason);
  const { preview, isStale, reload } = usePreview(props, draft);
  const typedAmount = props.typed?.(preview?.data);
  const [typed, setTyped] = useState('');
  const sending = useSending(props, draft, preview, { clear, reload });
  const form = useRef<HTMLFormElement>(null);
  const problems = problemsIn(props, draft);
  const hasField = hasFieldIn(form.current);
  const sent = formErrors(sending.error, hasField);
  const previewed = formErrors(preview?.error, hasField);
  const answered = { ...previewed.fields, ...sending.stillSent(draft, sent.fields) };
  const problem =
    whyNot(props, draft) ??
    (hasReason && draft.reason.trim() === '' ? texts.action.reasonMissing : undefined) ??
    (typedAmount !== undefined && typed.trim() !== typedAmount
      ? texts.action.typeAmountWrong(typedAmount)
      : undefined);
  const [isChecked, setChecked] = useState(false);
  const [left, setLeft] = useState<readonly string[]>([]);
  const shown = Object.entries(problems).filter(([name]) => isChecked || left.includes(name));
  const isVain = preview?.data !== undefined && props.hasEffect?.(preview.data) === false;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isVain || props.isEmpty?.(draft) === true) return;
    flushSync(() => setChecked(true));
    if (problem === undefined && !isStale && !sending.isSending) void sending.send();
    else focusInvalid(form.current);
  };
  useEffect(() => {
    if (sending.error !== undefined) focusInvalid(form.current);
  }, [sending.error]);
  return (
    <Modal.Root opened onClose={onClose} size="md" centered transitionProps={{ duration: 120 }}>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={texts.panel.close} />
        </Modal.Header>
        <Modal.Body>
          <form
            ref={form}
            className="action"
            noValidate
            onSubmit={submit}
            onBlur={({ target, relatedTarget }) => {
              // A message above a button would move it away under the pointer.
              if (relatedTarget instanceof HTMLButtonElement) return;
              setLeft((before) => [...before, nameOf(target)]);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          >
            <Problem error={sending.error} errors={sent} />
            {fields?.(draft, change as (changes: Partial<Draft>) => void, {
              ...answered,
              ...Object.fromEntries(shown),
            })}
            <PreviewBox {...{ action: props, draft, preview, isStale, errors: previewed }} />
            {hasReason ? (
              <ReasonField
                reason={draft.reason}
                error={
                  answered['reason'] ??
                  (isChecked && draft.reason.trim() === '' ? texts.action.reasonMissing : undefined)
                }
                setReason={(reason) => change({ reason } as Partial<Draft & WithReason>)}
              />
            ) : null}
            {typedAmount === undefined ? null : (
              <TextInput
                label={texts.action.typeAmount(typedAmount)}
                value={typed}
                error={
                  isChecked && typed.trim() !== typedAmount
                    ? texts.action.typeAmountWrong(typedAmount)
                    : undefined
                }
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
            {isChecked && problem !== undefined && props.check?.(draft) !== undefined ? (
              <p className="problem" role="alert">
                {problem}
              </p>
            ) : null}
            <div className="buttons">
              <Button
                variant="default"
                // Where nothing is typed, the focus is still inside the form, whose keys work.
                data-autofocus={(fields === undefined && !hasReason) || undefined}
                onClick={onClose}
              >
                {texts.action.keep}
              </Button>
              <Button
                type="submit"
                loading={sending.isSending}
                // Not before it is known what it does.
                aria-disabled={isStale}
                disabled={preview?.error !== undefined || isVain || props.isEmpty?.(draft) === true}
                className={isDangerous ? 'danger' : undefined}
              >
                {sending.isUnknown ? texts.states.retry : props.submit(preview?.data)}
              </Button>
            </div>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function PreviewBox<Draft extends object, Preview>(props: {
  readonly action: ActionProps<Draft, Preview>;
  readonly draft: Draft & WithReason;
  readonly preview: Shown<Preview> | undefined;
  readonly isStale: boolean;
  readonly errors: FormErrors;
}) {
  const { action, draft, preview, isStale } = props;
  const isMissing =
    action.preview === undefined ? action.showPreview === undefined : whyNot(action, draft) !== undefined;
  const isAtFields = Object.keys(props.errors.fields).length > 0 && props.errors.rest.length === 0;
  if (isMissing || isAtFields) return null;
  return (
    <output className="preview" aria-label={texts.action.preview} data-stale={isStale}>
      {preview?.error !== undefined ? (
        <Problem error={preview.error} errors={props.errors} />
      ) : preview === undefined && action.preview !== undefined ? (
        texts.action.previewLoading
      ) : (
        action.showPreview?.(preview?.data)
      )}
    </output>
  );
}

function ReasonField(props: {
  readonly reason: string;
  readonly error: string | undefined;
  readonly setReason: (reason: string) => void;
}) {
  return (
    <Textarea
      label={texts.action.reason}
      description={texts.action.reasonHint}
      data-field="reason"
      data-autofocus
      autosize
      minRows={2}
      maxLength={500}
      value={props.reason}
      error={props.error}
      onChange={({ currentTarget }) => props.setReason(currentTarget.value)}
    />
  );
}

/** What is wrong with the fields, apart from the reason. */
function whyNot<Draft extends object>(
  {
    check,
    problems,
  }: {
    readonly check?: ActionProps<Draft, never>['check'] | undefined;
    readonly problems?: ActionProps<Draft, never>['problems'] | undefined;
  },
  draft: Draft,
): string | undefined {
  return check?.(draft) ?? Object.values(problemsIn({ problems }, draft))[0];
}

function problemsIn<Draft extends object>(
  { problems }: { readonly problems?: ActionProps<Draft, never>['problems'] | undefined },
  draft: Draft,
): Readonly<Record<string, string>> {
  const entries = Object.entries(problems?.(draft) ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, problem]) => (problem === undefined ? [] : [[name, problem]])),
  );
}

function focusInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** A field that is no plain input says its name beside it. */
function nameOf(field: HTMLElement): string {
  return field.dataset['field'] ?? field.getAttribute('name') ?? '';
}

type Shown<Preview> = {
  readonly data: Preview | undefined;
  readonly etag: string | null;
  readonly error: unknown;
};

function usePreview<Draft extends object, Preview>(
  { form, check, problems, preview }: ActionProps<Draft, Preview>,
  draft: Draft & WithReason,
): { preview: Shown<Preview> | undefined; isStale: boolean; reload: () => void } {
  const asked = { ...draft, reason: REASON_OF_PREVIEW };
  const text = JSON.stringify(asked);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PREVIEW_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['preview', form, settled],
    // What is about to be asked for, not yet what was typed since.
    enabled: preview !== undefined && whyNot({ check, problems }, JSON.parse(settled)) === undefined,
    gcTime: 0,
    // The write itself makes every other read stale.
    staleTime: 'static',
    refetchOnWindowFocus: false,
    queryFn: async () => {
      const answered = await preview?.(JSON.parse(settled));
      return { data: answered?.data, etag: answered?.response.headers.get('etag') ?? null };
    },
  });
  const isStale = preview !== undefined && (isFetching || isPlaceholderData || settled !== text);
  const reload = () => void refetch();
  if (error !== null) return { preview: { data: undefined, etag: null, error }, isStale, reload };
  return { preview: data === undefined ? undefined : { ...data, error: undefined }, isStale, reload };
}

function useSending<Draft extends object, Preview>(
  { run, onDone, onClose }: ActionProps<Draft, Preview>,
  draft: Draft & WithReason,
  preview: Shown<Preview> | undefined,
  { clear, reload }: { readonly clear: () => void; readonly reload: () => void },
) {
  const key = useRef(newUuid());
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const sentDraft = useRef<object>(draft);
  const send = async () => {
    setSending(true);
    setError(undefined);
    sentDraft.current = draft;
    try {
      const client = preview?.etag ? adminIf(preview.etag) : admin;
      const { data, response } = await run(
        { ...draft, reason: draft.reason.trim() },
        { client, idempotencyKey: key.current },
      );
      clear();
      // Before anything is read anew: the preview of what has been done would be an error.
      flushSync(onClose);
      void queryClient.invalidateQueries();
      onDone({ data, isWaiting: response.status === 202, preview: preview?.data });
    } catch (thrown) {
      setError(thrown);
      // Until there is a definite answer it stays the same request.
      if (!isUnknownOutcome(thrown)) key.current = newUuid();
      if (thrown instanceof KeyportError && thrown.status === 412) reload();
    } finally {
      setSending(false);
    }
  };
  /** An error about a field ends with the next change of it. */
  const stillSent = (now: object, fields: Readonly<Record<string, string>>) => {
    const before: Record<string, unknown> = { ...sentDraft.current };
    const after: Record<string, unknown> = { ...now };
    return Object.fromEntries(Object.entries(fields).filter(([name]) => before[name] === after[name]));
  };
  return { send, isSending, error, isUnknown: isUnknownOutcome(error), stillSent };
}

/** The session has ended before the write, so that it is sent again as it was. */
function isUnknownOutcome(error: unknown): boolean {
  if (error instanceof KeyportError) return error.status >= 500 || error.status === 401;
  return error instanceof KeyportConnectionError;
}

function Problem({ error, errors }: { readonly error: unknown; readonly errors: FormErrors }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== undefined) box.current?.focus();
  }, [error]);
  if (error === undefined || (error instanceof KeyportError && error.status === 401)) return null;
  const isAtFields = Object.keys(errors.fields).length > 0;
  if (isAtFields && errors.rest.length === 0) return null;
  const message = errors.rest.length > 0 ? errors.rest.join(' ') : messageOf(error);
  const isChanged = error instanceof KeyportError && error.status === 412;
  return (
    <Alert ref={box} tabIndex={-1} className="failure" role="alert">
      <p>{isChanged ? texts.action.changed : isUnknownOutcome(error) ? texts.action.unknown : message}</p>
      <TraceId error={error} />
    </Alert>
  );
}
