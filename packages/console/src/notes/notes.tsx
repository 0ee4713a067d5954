import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Box, Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { onSubmitKey } from '../forms/action-dialog.tsx';
import { useDraft } from '../forms/drafts.ts';
import { formErrors } from '../forms/form-errors.ts';
import { useSending } from '../forms/use-action.ts';
import { Hint } from '../ui/hint.tsx';
import { Loaded, Section } from '../ui/page.tsx';
import { toastError } from '../ui/toasts.tsx';
import { Isolated, Time } from '../ui/values.tsx';
import { toMessage } from '../ui/wording.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

/** Such as `order:2174556001234567`. */
type Subject = { readonly subject: string };

const SHOWN_MAX = 100;
const EMPTY = { text: '', reason: '' };

export function useNotes(subject: string) {
  return useRead('listNotes', { query: { subject, limit: SHOWN_MAX } }, { everyMs: 15_000 });
}

export function Notes({ subject }: Subject) {
  const query = useNotes(subject);
  const mayWrite = useMay('notes');
  const { data = [], meta } = query.data ?? {};
  return (
    <Section title={texts.notes.title(data.length, meta?.hasMore ?? false)}>
      {mayWrite ? <NoteForm key={subject} subject={subject} /> : null}
      <Loaded query={query} rows={1}>
        {() =>
          data.length === 0 ? (
            <Hint>{texts.notes.none}</Hint>
          ) : (
            <Box component="ul" className="notes" mt={12}>
              {data.map((note) => (
                <NoteItem key={note.id} note={note} />
              ))}
            </Box>
          )
        }
      </Loaded>
    </Section>
  );
}

function NoteItem({ note }: { readonly note: OperatorElement<'listNotes'> }) {
  const { id, authorName, createdAt, text, own } = note;
  const mayWithdraw = useMay('administer') || own;
  const withdraw = () =>
    admin
      .withdrawNote({ params: { noteId: id } })
      .then(() => queryClient.invalidateQueries({ queryKey: ['listNotes'] }), toastError);
  return (
    <li>
      <strong>
        <Isolated>{authorName}</Isolated>
      </strong>{' '}
      <Time at={createdAt} />
      {mayWithdraw ? (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={texts.notes.withdrawOf(authorName, text)}
          onClick={withdraw}
        >
          {texts.notes.withdraw}
        </Button>
      ) : null}
      <Text maw="80ch" mt={2} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <Isolated>{text}</Isolated>
      </Text>
    </li>
  );
}

function NoteForm({ subject }: Subject) {
  const form = useRef<HTMLFormElement>(null);
  const { draft, change, clear } = useDraft(`note:${subject}`, EMPTY);
  const { send, isSending, error, stillSent } = useSending<{ readonly text: string }, never, unknown>(
    {
      run: ({ text }, options) => admin.createNote({ body: { subject, text: text.trim() } }, options),
      onDone: () => form.current?.querySelector('textarea')?.focus(),
    },
    draft,
    undefined,
    { clear, reload: () => {}, close: () => {} },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.text.trim() !== '' && !isSending) void send();
  };
  const { fields, rest } = formErrors(error, (name) => name === 'text');
  const { text: problem } = stillSent(draft, fields);
  const failure = error === undefined || 'text' in fields ? undefined : (rest[0] ?? toMessage(error));
  return (
    <form ref={form} onSubmit={submit} onKeyDown={onSubmitKey(submit)}>
      <Stack gap={8} align="start" maw={560}>
        <Textarea
          w="100%"
          data-field="text"
          label={texts.notes.add}
          description={texts.notes.hint}
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.text}
          error={problem ?? failure}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        <Button type="submit" loading={isSending}>
          {texts.notes.add}
        </Button>
      </Stack>
    </form>
  );
}
