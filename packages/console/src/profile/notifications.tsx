import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { admin, queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { useDialog } from '../forms/closing.tsx';
import { formErrors } from '../forms/form-errors.ts';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { InlineFailure, Loaded, messageOf, useWork } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatTime } from '../ui/values.tsx';

type Preferences = OperatorAnswer<'getNotificationPreferences'>;
type Event = keyof Preferences['events'];
type Channel = keyof Preferences['events'][Event];

const words = texts.notifications;
const EVENTS = Object.keys(words.events) as Event[];
const CHANNELS = Object.keys(words.channels) as Channel[];

export function NotificationChoices() {
  const preferences = useRead('getNotificationPreferences', {});
  return (
    <Loaded query={preferences} rows={3}>
      {(data) => (
        <>
          <Grid key={JSON.stringify(data.events)} preferences={data} />
          <Failing channel="mail" state={data.mail} />
          <Failing channel="chat" state={data.chat} />
          <Chat current={data.chat.url} />
        </>
      )}
    </Loaded>
  );
}

function Grid({ preferences }: { readonly preferences: Preferences }) {
  const { mail, chat } = preferences;
  const [events, setEvents] = useState(preferences.events);
  const { isRunning, error, run } = useWork();
  const mayApprove = useMay('approve');
  const isMissing = { console: false, mail: mail.address === null, chat: chat.url === null };
  const save = (submitted: FormEvent) => {
    submitted.preventDefault();
    void run(async () => {
      await admin.putNotificationPreferences({ body: { events } });
      toast('Notifications saved.');
      await queryClient.invalidateQueries();
    });
  };
  return (
    <form className="action" onSubmit={save}>
      <InlineFailure error={error} />
      <table className="event-grid">
        <thead>
          <tr>
            <th scope="col">Event</th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col">
                {words.channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {EVENTS.filter((event) => event !== 'approval' || mayApprove).map((event) => (
            <tr key={event}>
              <th scope="row">{words.events[event]}</th>
              {CHANNELS.map((channel) => (
                <td key={channel}>
                  <Checkbox
                    aria-label={`${words.events[event]}: ${words.channels[channel]}`}
                    checked={events[event][channel]}
                    disabled={isMissing[channel] && !events[event][channel]}
                    onChange={({ currentTarget: { checked } }) =>
                      setEvents({ ...events, [event]: { ...events[event], [channel]: checked } })
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">
        {mail.address === null
          ? 'This service sends no mail. An administrator can set KEYPORT_SMTP_URL.'
          : `Mail goes to ${mail.address}: at most one message a minute, with everything new.`}
      </p>
      {chat.url === null ? <p className="hint">To choose the chat, set its URL first.</p> : null}
      <div className="buttons">
        <Button variant="filled" size="sm" type="submit" loading={isRunning}>
          Save notifications
        </Button>
      </div>
    </form>
  );
}

function Failing(props: { readonly channel: 'mail' | 'chat'; readonly state: Preferences['mail' | 'chat'] }) {
  const { failingSince, error } = props.state;
  const zone = useZone();
  if (failingSince === null) return null;
  return (
    <p className="problem">
      {words.channels[props.channel]} has been failing since {formatTime(failingSince, zone)}: {error ?? ''}
    </p>
  );
}

function Chat({ current }: { readonly current: string | null }) {
  const [url, setUrl] = useState(current ?? '');
  const { dialog, open } = useDialog();
  const [error, setError] = useState<unknown>();
  const { fields } = formErrors(error, (name) => name === 'url');
  const reload = () => queryClient.invalidateQueries({ queryKey: ['getNotificationPreferences'] });
  const set = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    await admin.putChatWebhook({ body: { url: url.trim() } }).then(({ secret }) => {
      const title = 'Secret that signs the messages';
      open(<SecretDialog title={title} values={{ [title]: secret }} />);
      return reload();
    }, setError);
  };
  const remove = () =>
    admin.deleteChatWebhook({}).then(() => {
      setUrl('');
      toast('Chat removed.');
      return reload();
    }, setError);
  return (
    <form className="action" onSubmit={set}>
      <TextInput
        name="url"
        type="url"
        label="URL of your chat’s incoming webhook"
        description="Messages are signed as webhooks are. A new URL gets a new secret."
        required
        withAsterisk={false}
        maxLength={2000}
        autoComplete="off"
        value={url}
        error={fields['url'] ?? (error === undefined ? undefined : messageOf(error))}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <div className="buttons">
        {current === null ? null : (
          <Button size="sm" onClick={() => void remove()}>
            Remove chat
          </Button>
        )}
        <Button size="sm" type="submit">
          Set chat
        </Button>
      </div>
      {dialog}
    </form>
  );
}
