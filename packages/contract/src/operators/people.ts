import { type Static, Type } from 'typebox';
import { DateTime } from '../formats.ts';
import { type Permission, ROLES } from '../roles.ts';
import { changeBody, filledText, namedObject, nullable, oneOf, strictObject } from '../schema.ts';

export const OperatorId = Type.String({
  pattern: '^person_[0-9a-f]{24}$',
  description: 'Id of an operator.',
  examples: ['person_0b7e9c1e53a44c9e9f0f6a4c'],
  'x-rule': 'must be the id of an operator, such as person_0b7e9c1e53a44c9e9f0f6a4c',
});

export const PersonName = filledText(200);

export const Email = Type.String({
  pattern: '^[^\\s\\x00-\\x1f\\x7f@<>"(),;:\\\\]{1,64}@[^\\s\\x00-\\x1f\\x7f@<>"(),;:\\\\]{1,189}$',
  examples: ['ada@marketplace.example'],
  'x-rule': 'must be an e-mail address such as ada@marketplace.example',
});

const RoleInput = oneOf(ROLES, 'What the operator may do.');
export const PERSON_STATUSES = ['active', 'disabled'] as const;
export const OperatorCreateBody = strictObject({ name: PersonName, email: Email, role: RoleInput });

export const OperatorPatchBody = changeBody({
  name: PersonName,
  email: Email,
  role: RoleInput,
  status: oneOf(PERSON_STATUSES, 'A disabled operator is signed out immediately and loses all credentials.'),
  keepIssued: Type.Boolean({
    description: 'true, when disabling: what the operator issued to others keeps working.',
  }),
});
export type OperatorPatchBody = Static<typeof OperatorPatchBody>;

const OPERATOR = {
  id: OperatorId,
  name: Type.String(),
  email: Type.String({ description: 'Empty for the role `viewer`.' }),
  role: oneOf(ROLES, 'What the operator may do.'),
  status: oneOf(PERSON_STATUSES, 'Whether the operator can sign in.'),
  lastSeenAt: nullable(DateTime, {
    description: 'The time of the last request, accurate to a few seconds; null: never signed in.',
  }),
  createdAt: DateTime,
};

const listed = (description: string) => Type.Array(Type.String(), { description });
/** `who`: an operator or a member. */
export const endedWhen = (who: string, when: string) =>
  Type.Optional(
    Type.Object(
      {
        links: listed('The people whose unused sign-in links ended.'),
        secrets: listed('The clients that lost a secret.'),
        clients: listed('The clients that were disabled.'),
      },
      {
        description: `What the ${who} had issued, directly or through clients that they created. Present ${when}.`,
      },
    ),
  );

const LISTED_OPERATOR = {
  ...OPERATOR,
  unsentLink: Type.Optional(
    strictObject(
      { error: Type.Optional(Type.String({ description: 'Why the last attempt to mail it failed.' })) },
      { description: 'A sign-in link that is still to be mailed; absent if there is none.' },
    ),
  ),
};

export const Operator = namedObject('Operator', LISTED_OPERATOR);
export const ChangedOperator = namedObject('ChangedOperator', {
  ...LISTED_OPERATOR,
  ended: endedWhen('operator', 'after disabling'),
});
export type Operator = Static<typeof Operator>;

export const InvitedOperator = namedObject('InvitedOperator', {
  ...OPERATOR,
  invitationUrl: Type.String({
    description: 'A sign-in link that works once. Shown only here: send it to the operator.',
  }),
  invitationExpiresAt: DateTime,
  mailed: Type.Boolean({ description: 'Whether the service also mails the link to the operator.' }),
  ended: endedWhen('operator', 'after a reset'),
});

/** Sessions of the console and of the portal have this in common. */
export type SessionState = {
  readonly csrfToken: string;
  readonly mode: 'sandbox' | 'live';
  readonly endsAt: string;
  readonly hasPassword: boolean;
  /** False without a password and shortly after a sign-in by link. */
  readonly needsCurrentPassword: boolean;
  /** If true, adding a passkey or a first password requires a new sign-in. */
  readonly needsProof: boolean;
  readonly passkeys: number;
};

export type ConsoleSession = SessionState & {
  readonly operator: Pick<Operator, 'id' | 'name' | 'email' | 'role'>;
  readonly permissions: readonly Permission[];
  /** Higher amounts need a second operator's approval; null if none do. */
  readonly approvalAbove: string | null;
  /** Offers with at most this many units are marked as low. */
  readonly lowStockUnits: number;
};

export const LinkBody = strictObject({
  token: Type.String({ maxLength: 200, 'x-rule': 'must be the text after #token= in the link' }),
});

export type SignInMethods = Pick<SessionState, 'mode'> & {
  readonly password: boolean;
  readonly passkey: boolean;
  readonly oidc: { readonly name: string } | null;
};

const PasswordInput = Type.String({ maxLength: 200, 'x-rule': 'must be text of at most 200 characters' });
export const PasswordBody = strictObject({ email: Email, password: PasswordInput });

export const PasswordChangeBody = strictObject({
  password: Type.String({
    minLength: 12,
    maxLength: 200,
    pattern: '\\S',
    'x-rule': 'must have 12 to 200 characters',
  }),
  currentPassword: Type.Optional(PasswordInput),
  removePasskeys: Type.Optional(Type.Boolean()),
});

const Base64Url = Type.String({
  pattern: '^[A-Za-z0-9_-]*$',
  maxLength: 12_000,
  'x-rule': 'must be base64url',
});

const CREDENTIAL = { id: Base64Url, rawId: Base64Url, type: Type.Literal('public-key') };

/** The form that browsers send; other members are ignored. */
export const PasskeyAnswerBody = Type.Object({
  ...CREDENTIAL,
  response: Type.Object({ clientDataJSON: Base64Url, authenticatorData: Base64Url, signature: Base64Url }),
});

export const PasskeyCreateBody = Type.Object({
  ...CREDENTIAL,
  name: Type.Optional(PersonName),
  response: Type.Object({ clientDataJSON: Base64Url, attestationObject: Base64Url }),
});
