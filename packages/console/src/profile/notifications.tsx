import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { admin, queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { formErrors } from '../forms/form-errors.ts';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { useZone } from '../preferences.ts';
import { common } from '../texts.ts';
import { InlineFailure, Loaded, messageOf, useWork } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatTime } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Preferences = OperatorAnswer<'getNotificationPreferences'>;
type Event = keyof Preferences['events'];
type Channel = keyof Preferences['events'][Event];

const EVENTS = Object.keys(common.notificationEvents) as Event[];
const CHANNELS = Object.keys(texts.notifications.channels) as Channel[];

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
      toast(texts.notifications.saved);
      await queryClient.invalidateQueries();
    });
  };
  return (
    <form className="action" onSubmit={save}>
      <InlineFailure error={error} />
      <table className="event-grid">
        <thead>
          <tr>
            <th scope="col">{texts.notifications.event}</th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col">
                {texts.notifications.channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {EVENTS.filter((event) => event !== 'approval' || mayApprove).map((event) => (
            <tr key={event}>
              <th scope="row">{common.notificationEvents[event]}</th>
              {CHANNELS.map((channel) => (
                <td key={channel}>
                  <Checkbox
                    aria-label={texts.notifications.choice(
                      common.notificationEvents[event],
                      texts.notifications.channels[channel],
                    )}
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
        {mail.address === null ? texts.notifications.noMail : texts.notifications.mailTo(mail.address)}
      </p>
      {chat.url === null ? <p className="hint">{texts.notifications.noChat}</p> : null}
      <div className="buttons">
        <Button variant="filled" size="sm" type="submit" loading={isRunning}>
          {texts.notifications.save}
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
      {texts.notifications.failing(
        texts.notifications.channels[props.channel],
        formatTime(failingSince, zone),
        error ?? '',
      )}
    </p>
  );
}

function Chat({ current }: { readonly current: string | null }) {
  const [url, setUrl] = useState(current ?? '');
  const [error, setError] = useState<unknown>();
  const { fields } = formErrors(error, (name) => name === 'url');
  const reload = () => queryClient.invalidateQueries({ queryKey: ['getNotificationPreferences'] });
  const set = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    await admin.putChatWebhook({ body: { url: url.trim() } }).then(({ secret }) => {
      const title = texts.notifications.chatSecret;
      openDialog(<SecretDialog title={title} values={{ [title]: secret }} />);
      return reload();
    }, setError);
  };
  const remove = () =>
    admin.deleteChatWebhook({}).then(() => {
      setUrl('');
      toast(texts.notifications.chatRemoved);
      return reload();
    }, setError);
  return (
    <form className="action" onSubmit={set}>
      <TextInput
        name="url"
        type="url"
        label={texts.notifications.chatUrl}
        description={texts.notifications.chatHint}
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
            {texts.notifications.removeChat}
          </Button>
        )}
        <Button size="sm" type="submit">
          {texts.notifications.setChat}
        </Button>
      </div>
    </form>
  );
}
