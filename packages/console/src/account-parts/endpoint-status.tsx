import { Group } from '@mantine/core';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Badge, type Look, Time } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Endpoint = { readonly status: 'enabled' | 'disabled'; readonly failingSince?: string };

export function EndpointStatus({ endpoint: { status, failingSince } }: { readonly endpoint: Endpoint }) {
  const name = status === 'disabled' ? 'disabled' : failingSince === undefined ? 'enabled' : 'failing';
  return (
    <Group component="span" gap={6} display="inline-flex">
      <Badge look={LOOKS[name]}>{common.endpointStatuses[name]}</Badge>
      {name === 'failing' && failingSince !== undefined ? (
        <Hint span>
          {texts.endpoints.since} <Time at={failingSince} />
        </Hint>
      ) : null}
    </Group>
  );
}

const LOOKS = {
  enabled: ['good', 'check'],
  failing: ['warn', 'alert'],
  disabled: ['bad', 'cross'],
} as const satisfies Record<string, Look>;
