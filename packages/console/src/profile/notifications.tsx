import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { admin } from '../api/admin.ts';
import { queryClient, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { useZone } from '../preferences.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { InlineFailure, Loaded, useWork } from '../ui/page.tsx';
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
          <Failing mail={data.mail} />
        </>
      )}
    </Loaded>
  );
}

function Grid({ preferences }: { readonly preferences: Preferences }) {
  const { mail } = preferences;
  const [events, setEvents] = useState(preferences.events);
  const { isRunning, error, run } = useWork();
  const mayApprove = useMay('approve');
  const isMissing = { console: false, mail: mail.address === null };
  const save = (submitted: FormEvent) => {
    submitted.preventDefault();
    void run(async () => {
      await admin.putNotificationPreferences({ body: { events } });
      toast(texts.notifications.saved);
      await queryClient.invalidateQueries();
    });
  };
  return (
    <Stack component="form" onSubmit={save}>
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
      <Hint>
        {mail.address === null ? texts.notifications.noMail : texts.notifications.mailTo(mail.address)}
      </Hint>
      <Group justify="flex-end">
        <Button variant="filled" size="sm" type="submit" loading={isRunning}>
          {texts.notifications.save}
        </Button>
      </Group>
    </Stack>
  );
}

function Failing({ mail: { failingSince, error } }: Pick<Preferences, 'mail'>) {
  const zone = useZone();
  if (failingSince === null) return null;
  return (
    <Text c="var(--bad)">{texts.notifications.failing(formatTime(failingSince, zone), error ?? '')}</Text>
  );
}
