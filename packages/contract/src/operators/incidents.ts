import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, DateTimeInput, namedObject, nullable, oneOf, Uuid } from '../formats.ts';
import { flag, sortBy } from '../lists.ts';

const INCIDENT_KINDS = ['invariant', 'payment', 'endpoint', 'import', 'node', 'notification'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

const KIND =
  '`invariant`: violated. `payment`: the provider did not respond in time. `endpoint`: failing, or disabled by the service. `import`: stopped before its end. `node`: not seen any more. `notification`: a mail or chat message to an operator cannot be sent.';

export const IncidentsQuery = Type.Object({
  kind: Type.Optional(oneOf(INCIDENT_KINDS, 'Only incidents of this kind.')),
  open: flag('true: only those that have not ended; false: only ended ones.'),
  from: Type.Optional({ ...DateTimeInput, description: 'Only those that had not ended before.' }),
  to: Type.Optional({ ...DateTimeInput, description: 'Only those that began until then.' }),
  sort: sortBy(['-beganAt', 'beganAt']),
  ...CURSOR_QUERY,
});

export const Incident = namedObject('Incident', {
  id: Type.String({ examples: ['17'] }),
  kind: oneOf(INCIDENT_KINDS, KIND),
  subject: Type.String({
    description: 'The id of the invariant, order, endpoint, import, node or operator and channel.',
    examples: ['I45'],
  }),
  title: Type.String({ description: 'Its name at that time.' }),
  accountId: nullable(Uuid),
  beganAt: DateTime,
  endedAt: nullable(DateTime),
});
export type Incident = Static<typeof Incident>;
