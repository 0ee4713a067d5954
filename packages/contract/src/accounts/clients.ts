/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */
import { Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, Name, namedObject, nullable, oneOf, strictObject, Uuid, UuidInput } from '../formats.ts';
import { BY_CREATION, search, sortBy } from '../lists.ts';
import { ROLES } from '../roles.ts';

/** Completes a sentence about a field; also used by the code that checks an address beyond its pattern. */
export const ADDRESS_RANGE_RULE =
  'must be an IPv4 or IPv6 address, or a range such as 192.0.2.0/24 or 2001:db8::/32';

export const ClientCreateBody = strictObject({ name: Type.Optional(Name) });

export const ClientCredentials = strictObject(
  { clientId: Type.String(), clientSecret: Type.String({ description: 'Shown once; keep it safe.' }) },
  { title: 'ClientCredentials' },
);

const AddressRange = Type.String({
  pattern: '^[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?$',
  description: 'IPv4 or IPv6 address, or a range of them.',
  examples: ['192.0.2.0/24'],
  'x-rule': ADDRESS_RANGE_RULE,
});

const OperatorRole = oneOf(ROLES, "What an operator's client may do.");

export const OperatorClientBody = strictObject({ name: Name, operatorRole: OperatorRole });

export const ClientPatchBody = strictObject(
  {
    allowedAddresses: Type.Optional(
      nullable(
        Type.Array(AddressRange, {
          maxItems: 100,
          description: 'Where the client may call from; an empty list or null: from everywhere.',
          'x-rule': 'must be a list of at most 100 addresses and ranges',
        }),
      ),
    ),
    operatorRole: Type.Optional(OperatorRole),
  },
  { minProperties: 1, 'x-rule': 'must name at least one field to change' },
);

export const Client = namedObject('Client', {
  clientId: Type.String(),
  accountId: nullable(Uuid),
  name: nullable(Type.String()),
  role: oneOf(['reseller', 'operator'], 'Whose client it is.'),
  operatorRole: nullable(oneOf(ROLES, "What an operator's client may do.")),
  liveSecrets: Type.Integer({ minimum: 0 }),
  allowedAddresses: Type.Array(AddressRange, {
    description: 'Where the client may call from; empty: from everywhere.',
  }),
  disabledAt: nullable(DateTime),
  createdAt: DateTime,
});

const CLIENT_STATUSES = ['enabled', 'disabled'] as const;

export const ClientsQuery = Type.Object({
  query: search('Words of the name or the client id.'),
  accountId: Type.Optional(UuidInput),
  role: Type.Optional(oneOf(['reseller', 'operator'], 'Only clients that may call this.')),
  status: Type.Optional(oneOf(CLIENT_STATUSES, 'Only clients with this status.')),
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});

export const ListedClient = namedObject('OperatorListedClient', {
  ...Client.properties,
  accountName: nullable(Type.String()),
});
