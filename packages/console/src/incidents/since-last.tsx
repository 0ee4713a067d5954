/** The time since the last visit of this browser: incidents that began or ended, and the number of orders. */

import { Stack, Text } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { lastVisit, useZone } from '../preferences.ts';
import { Hint } from '../ui/hint.tsx';
import { Loaded, Section } from '../ui/page.tsx';
import { formatTime, Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { Ended, IncidentLink } from './incident-parts.tsx';
import { texts } from './texts.ts';

const SHOWN_MAX = 5;
/** The summary covers at most a month by hour. */
const HOURS_MAX = 700;

export function SinceLast() {
  const zone = useZone();
  const since = lastVisit;
  const query = { from: since ?? '', limit: SHOWN_MAX };
  const incidents = useRead('listIncidents', { query }, { enabled: since !== undefined });
  const isShort = since !== undefined && Date.now() - Date.parse(since) < HOURS_MAX * 3_600_000;
  const hours = { bucket: 'hour' as const, from: since ?? '' };
  const summary = useRead('getSummary', { query: hours }, { enabled: isShort });
  if (since === undefined) return null;
  return (
    <Section title={texts.since(formatTime(since, zone))}>
      <Loaded query={incidents} rows={1}>
        {({ data, meta }) => (
          <Stack component="ul" gap={4}>
            {isShort && summary.data !== undefined ? (
              <li>
                <Link to={paths.orders}>{texts.ordersSince(summary.data.totals.orders)}</Link>
              </li>
            ) : null}
            {data.length === 0 ? (
              <Text component="li" size="xs" c="dimmed">
                {texts.none}
              </Text>
            ) : null}
            {data.map((incident) => (
              <li key={incident.id}>
                <Hint span>{texts.kinds[incident.kind]}</Hint> <IncidentLink incident={incident} />{' '}
                <Ended incident={incident} />
              </li>
            ))}
            {meta.hasMore || data.length > 0 ? (
              <li>
                <Link to={paths.incidents}>{texts.all}</Link>
              </li>
            ) : null}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
