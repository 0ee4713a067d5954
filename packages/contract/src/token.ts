/** OAuth 2.0 client credentials (RFC 6749), with the errors of that RFC. */
import { Type } from 'typebox';
import { namedObject, oneOf, strictObject } from './schema.ts';

export const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  },
  {
    description: 'Sent as a form or as JSON. The client can send its id and secret with HTTP Basic instead.',
  },
);

export const TokenResponse = namedObject('Token', {
  access_token: Type.String({ description: 'A JWT (RFC 9068).' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ minimum: 1, description: 'The lifetime of the token in seconds.' }),
});

export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'temporarily_unavailable',
] as const;

export type TokenErrorCode = (typeof TOKEN_ERRORS)[number];

export const TokenError = strictObject(
  { error: oneOf(TOKEN_ERRORS, 'Error code (RFC 6749).'), error_description: Type.Optional(Type.String()) },
  { title: 'TokenError' },
);
