import { AUDIT_ACTIONS } from '@keyport/contract/operators/audit-actions';
import type { OperatorElement } from '@keyport/sdk-source/admin';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Box, Button, Group, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { summarize } from '../audit/words.ts';
import { onSubmitKey } from '../forms/action-dialog.tsx';
import { useDraft } from '../forms/drafts.ts';
import { formErrors } from '../forms/form-errors.ts';
import { useSending } from '../forms/use-action.ts';
import { Hint } from '../ui/hint.tsx';
import { Loaded, Section } from '../ui/page.tsx';
import { toastError } from '../ui/toasts.tsx';
import { Isolated, type Look, Mark, Time } from '../ui/values.tsx';
import { toMessage, wordReason } from '../ui/wording.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

/** Such as `order:2174556001234567`. */
type Subject = { readonly subject: string };

const SHOWN_MAX = 100;
const EMPTY = { text: '', reason: '' };

export function useNotes(subject: string) {
  return useRead('listNotes', { query: { subject, limit: SHOWN_MAX } }, { everyMs: 15_000 });
}

export type Moment = {
  readonly key: string;
  readonly at: string;
  readonly look: Look;
  readonly what: string;
  /** The person, the reason and links. */
  readonly more: ReactNode;
};

/** Notes, and what else happened, in one list: newest first. */
export function Timeline({ subject, moments }: Subject & { readonly moments?: readonly Moment[] }) {
  const query = useNotes(subject);
  const mayWrite = useMay('notes');
  return (
    <Section title={moments === undefined ? texts.notes.title : texts.notes.timeline}>
      {mayWrite ? <NoteForm key={subject} subject={subject} /> : null}
      <Loaded query={query} rows={1}>
        {({ data }) => {
          const all = [...(moments ?? []), ...data.map(toMoment)];
          all.sort((one, other) => (one.at < other.at ? 1 : -1));
          if (all.length === 0) return <Hint mt={8}>{texts.notes.none}</Hint>;
          return (
            <Box component="ol" className="timeline" mt={8}>
              {all.map((moment) => (
                <li key={moment.key}>
                  <Mark look={moment.look} size={24} />
                  <div>
                    <strong>{moment.what}</strong> {moment.more}
                  </div>
                  <Time at={moment.at} />
                </li>
              ))}
            </Box>
          );
        }}
      </Loaded>
    </Section>
  );
}

type Note = OperatorElement<'listNotes'>;

function toMoment(note: Note): Moment {
  const { id, authorName, createdAt, text } = note;
  return {
    key: `note-${id}`,
    at: createdAt,
    look: ['info', 'claims'],
    what: texts.notes.note,
    more: (
      <>
        <Isolated>{authorName}</Isolated> <Withdraw note={note} />
        <Text maw="80ch" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <Linked text={text} />
        </Text>
      </>
    ),
  };
}

const ADDRESSES = /(https?:\/\/[^\s<>"]*[^\s<>".,:;!?)\]])/;

/** Every second part is an address. */
function Linked({ text }: { readonly text: string }) {
  return text.split(ADDRESSES).map((part, place) =>
    place % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
      <Isolated key={place}>{part}</Isolated>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
      <a key={place} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ),
  );
}

function Withdraw({ note: { id, own, authorName, text } }: { readonly note: Note }) {
  const mayWithdraw = useMay('administer') || own;
  const withdraw = () =>
    admin
      .withdrawNote({ params: { noteId: id } })
      .then(() => queryClient.invalidateQueries({ queryKey: ['listNotes'] }), toastError);
  return mayWithdraw ? (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={texts.notes.withdrawOf(authorName, text)}
      onClick={withdraw}
    >
      {texts.notes.withdraw}
    </Button>
  ) : null;
}

type AuditEntry = OperatorElement<'listAudit'>;

/** `caller` names a client without a name. */
export function toAuditMoment(entry: AuditEntry, caller: string, link?: ReactNode): Moment {
  const { id, at, action, data, name, role } = entry;
  const callerId = entry.clientId ?? entry.memberId;
  const { reason } = data;
  const said = typeof reason === 'string' ? wordReason(reason) : undefined;
  const did = summarize(entry);
  // Only people and operators' clients have a role; an unnamed client without a role is the reseller's.
  const who = name ?? (role === undefined ? caller : callerId);
  return {
    key: `audit-${id}`,
    at,
    look: ['neutral', action.includes('key') ? 'key' : 'person'],
    what: AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS] ?? action,
    more: (
      <>
        {did === '' ? '' : `${did} · `}
        <span title={callerId}>
          <Isolated>{who}</Isolated>
        </span>
        {said === undefined ? '' : ': '}
        <Isolated>{said}</Isolated> {link}
      </>
    ),
  };
}

function NoteForm({ subject }: Subject) {
  const form = useRef<HTMLFormElement>(null);
  const { draft, change, clear, unsettled } = useDraft(`note:${subject}`, EMPTY);
  const [isWriting, setWriting] = useState(draft.text !== '');
  const { send, isSending, isUnsettled, error, stillSent } = useSending<
    { readonly text: string },
    never,
    unknown
  >(
    {
      run: ({ text }, options) => admin.createNote({ body: { subject, text: text.trim() } }, options),
      onDone: () => form.current?.querySelector('textarea')?.focus(),
    },
    draft,
    undefined,
    { clear, reload: () => {}, close: () => {}, unsettled, isBulk: false },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.text.trim() !== '' && !isSending) void send();
  };
  const { fields, rest } = formErrors(error, (name) => name === 'text');
  const { text: problem } = stillSent(draft, fields);
  // A person who must sign in again sees a dialog.
  const isOver = error instanceof KeyportError && error.status === 401;
  const failure =
    error === undefined || isOver || 'text' in fields ? undefined : (rest[0] ?? toMessage(error));
  return (
    <form ref={form} onSubmit={submit} onKeyDown={onSubmitKey(submit)}>
      <Group gap={8} align="start">
        <Textarea
          flex={1}
          data-field="text"
          aria-label={texts.notes.add}
          placeholder={`${texts.notes.add}…`}
          description={isWriting ? texts.notes.hint : undefined}
          inputWrapperOrder={['input', 'description', 'error']}
          autosize
          minRows={1}
          value={draft.text}
          readOnly={isUnsettled}
          error={problem ?? failure}
          onFocus={() => setWriting(true)}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        {isWriting ? (
          <Button type="submit" h={36} loading={isSending}>
            {texts.notes.add}
          </Button>
        ) : null}
      </Group>
    </form>
  );
}
