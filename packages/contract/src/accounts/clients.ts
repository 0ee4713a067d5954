import { Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, Name, Uuid, UuidInput } from '../formats.ts';
import { BY_CREATION, search, sortBy } from '../lists.ts';
import { ROLES } from '../roles.ts';
import { rotateBody } from '../rotation.ts';
import { changeBody, namedObject, nullable, oneOf, optional, strictObject, toQuery } from '../schema.ts';

export const ADDRESS_RANGE_RULE =
  'must be an IPv4 or IPv6 address, or a range such as 192.0.2.0/24 or 2001:db8::/32';

const AddressRange = Type.String({
  pattern: '^[0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?$',
  description: 'An IPv4 or IPv6 address, or a range.',
  examples: ['192.0.2.0/24'],
  'x-rule': ADDRESS_RANGE_RULE,
});
const OperatorRole = oneOf(ROLES, "What an operator's client may do.");
export const ClientCreateBody = strictObject({ name: Type.Optional(Name) });
export const OperatorClientBody = strictObject({ name: Name, operatorRole: OperatorRole });
const CLIENT_ACCESS = ['full', 'read-only'] as const;
export type ClientAccess = (typeof CLIENT_ACCESS)[number];
const Access = oneOf(
  CLIENT_ACCESS,
  'A `read-only` client can read everything except product keys, and can change only its own secret.',
);

const SETTINGS = optional({
  allowedAddresses: nullable(
    Type.Array(AddressRange, {
      maxItems: 100,
      description: 'The addresses from which the client may call; an empty list or null: all addresses.',
      'x-rule': 'must be a list of at most 100 addresses and ranges',
    }),
  ),
  access: Access,
});

export const ClientPatchBody = changeBody({ ...SETTINGS, operatorRole: OperatorRole });
export const OwnClientPatchBody = changeBody({ name: Name, ...SETTINGS });
export const ClientRotateBody = rotateBody(
  'How long the previous secret keeps working; 0: it stops working immediately.',
);

const CREDENTIALS = {
  clientId: Type.String(),
  clientSecret: Type.String({ description: 'Shown only once; keep it safe.' }),
};
export const ClientCredentials = namedObject('ClientCredentials', CREDENTIALS);
export const RotatedClient = namedObject('RotatedClient', {
  ...CREDENTIALS,
  previousValidUntil: Type.String({
    ...DateTime,
    description: 'The time until which the previous secret works, by the clock of the service.',
  }),
});

const MEMBERS = {
  name: nullable(Type.String()),
  liveSecrets: Type.Integer({ minimum: 0, description: 'The number of valid secrets, at most two.' }),
  allowedAddresses: Type.Array(AddressRange, {
    description: 'The addresses from which the client may call; empty: all addresses.',
  }),
  disabledAt: nullable(DateTime),
  createdAt: DateTime,
};

export const OwnClient = namedObject('OwnClient', { clientId: Type.String(), ...MEMBERS, access: Access });

export const Client = namedObject('Client', {
  clientId: Type.String(),
  accountId: nullable(Uuid),
  role: oneOf(['reseller', 'operator'], 'Whether the client belongs to a reseller or an operator.'),
  operatorRole: nullable(OperatorRole),
  access: nullable(Access, { description: 'Null for a client of an operator.' }),
  ...MEMBERS,
});

export const ClientsQuery = toQuery({
  query: search('Words from the name or the client id.'),
  accountId: UuidInput,
  role: oneOf(['reseller', 'operator'], 'Only clients with this role.'),
  status: oneOf(['enabled', 'disabled'], 'Only clients with this status.'),
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});
export const ListedClient = namedObject('OperatorListedClient', {
  ...Client.properties,
  accountName: nullable(Type.String()),
});
