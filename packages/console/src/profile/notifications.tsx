import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { formErrors } from '../forms/form-errors.ts';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { InlineFailure, Loaded, messageOf, useWork } from '../ui/states.tsx';
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
      toast(words.saved);
      await queryClient.invalidateQueries();
    });
  };
  return (
    <form className="action" onSubmit={save}>
      <InlineFailure error={error} />
      <table className="event-grid">
        <thead>
          <tr>
            <th scope="col">{words.event}</th>
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
                    aria-label={words.choice(words.events[event], words.channels[channel])}
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
      <p className="hint">{mail.address === null ? words.noMail : words.mailTo(mail.address)}</p>
      {chat.url === null ? <p className="hint">{words.noChat}</p> : null}
      <div className="buttons">
        <Button type="submit" loading={isRunning}>
          {words.save}
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
      {words.failing(words.channels[props.channel], formatTime(failingSince, zone), error ?? '')}
    </p>
  );
}

function Chat({ current }: { readonly current: string | null }) {
  const [url, setUrl] = useState(current ?? '');
  const [secret, setSecret] = useState<string>();
  const [error, setError] = useState<unknown>();
  const { fields } = formErrors(error, (name) => name === 'url');
  const reload = () => queryClient.invalidateQueries({ queryKey: ['getNotificationPreferences'] });
  const set = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    await admin
      .putChatWebhook({ body: { url: url.trim() } })
      .then((data) => setSecret(data.secret), setError);
  };
  const remove = () =>
    admin.deleteChatWebhook({}).then(() => {
      setUrl('');
      toast(words.chatRemoved);
      return reload();
    }, setError);
  return (
    <form className="action" onSubmit={set}>
      <TextInput
        name="url"
        type="url"
        label={words.chatUrl}
        description={words.chatHint}
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
          <Button variant="default" onClick={() => void remove()}>
            {words.removeChat}
          </Button>
        )}
        <Button type="submit" variant="default">
          {words.setChat}
        </Button>
      </div>
      {secret === undefined ? null : (
        <SecretDialog
          title={words.chatSecret}
          values={{ [words.chatSecret]: secret }}
          onClose={() => {
            setSecret(undefined);
            void reload();
          }}
        />
      )}
    </form>
  );
}
