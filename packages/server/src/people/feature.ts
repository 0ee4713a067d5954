import type { IncomingMessage } from 'node:http';
import type { SignInMethods } from '@keyport/contract/operators/people';
import { MEMBER_PERMISSIONS, MEMBER_ROLES, ROLE_PERMISSIONS, ROLES } from '@keyport/contract/roles';
import type { AddressOf } from '@keyport/http/admission/addresses';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Exchange } from '@keyport/http/server/exchange';
import type { Config } from '../config.ts';
import { deriveKey } from '../custody/derive-key.ts';
import { isUniqueViolation } from '../db/errors.ts';
import type { Platform } from '../platform.ts';
import { AUDIENCES, type Audience, type Identity, toRole } from './audiences.ts';
import { findLink, type InvitationDeps, inviteFirst } from './invitations.ts';
import { OIDC_CALLBACK_PATH, oidcRoutes } from './oidc.routes.ts';
import { createOidc, type OidcSettings } from './oidc.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { canHavePasskeys } from './passkeys/prove-passkey.ts';
import { createGuesses } from './passwords/guesses.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { buildPeopleHandlers } from './people.routes.ts';
import { sessionRoutes } from './sessions/session.routes.ts';
import { createSessions } from './sessions/sessions.ts';
import type { SignInDeps } from './sessions/sign-in.ts';
import type { Ways } from './ways.ts';

export type People = ReturnType<typeof openPeople>;

export function openPeople(
  platform: Platform,
  { toAddress, mailLink }: { readonly toAddress: AddressOf } & Pick<InvitationDeps, 'mailLink'>,
) {
  const { config, database, log, publicUrl, secrets, nodeCount } = platform;
  const { mode, localSignIn: isLocal } = config;
  const secret = secrets.clientSecretMac;
  const settings = toOidcSettings(config);
  const oidc = settings && createOidc(settings, () => publicUrl() + OIDC_CALLBACK_PATH);

  function open(
    audience: Audience,
    ways: Ways,
    describe: SignInDeps['describe'],
    provider: SignInMethods['oidc'],
  ) {
    const deps = { audience, key: deriveKey(secret, audience.keyName), publicUrl, ways, database };
    const sessions = createSessions(deps);
    // A flood against one audience locks no one of the other out.
    const signIn = { ...deps, sessions, guesses: createGuesses(nodeCount), toAddress, mode, describe };
    const toMethods = (exchange: Exchange) => ({
      mode,
      password: ways.isLocal,
      passkey: ways.isLocal && canHavePasskeys(exchange),
      oidc: provider,
    });
    const local = [...passwordRoutes(signIn), ...passkeyRoutes(signIn)];
    const routes = [
      ...sessionRoutes(signIn, toMethods),
      ...(ways.isLocal ? local : local.map((route) => ({ ...route, handle: rejectLocal }))),
    ];
    return { deps, sessions, signIn, routes };
  }

  const operators = open(
    AUDIENCES.operator,
    { isLocal, isOidc: oidc !== undefined },
    ({ id, name, email, role: text }) => {
      const role = toRole(ROLES, text);
      return {
        operator: { id, name, email, role },
        permissions: ROLE_PERMISSIONS[role],
        approvalAbove: config.approvalAbove ?? null,
        lowStockUnits: config.lowStockUnits,
      };
    },
    oidc === undefined ? null : { name: oidc.name },
  );
  const members = open(
    AUDIENCES.reseller,
    { isLocal: true, isOidc: false },
    ({ id, name, email, role: text }) => {
      const role = toRole(MEMBER_ROLES, text);
      return {
        member: { id, name, email, role },
        permissions: MEMBER_PERMISSIONS[role],
        ...(config.topUpNote !== undefined && { topUpNote: config.topUpNote }),
      };
    },
    null,
  );
  const { sessions, signIn, deps } = operators;
  return {
    authenticate: (audience: Audience['name'], request: IncomingMessage) =>
      (audience === 'operator' ? operators : members).sessions.authenticate(request),
    /** Members' sessions have no precedence over programs. */
    hasSession: sessions.isOurs,
    handlers: buildPeopleHandlers(database, { ...deps, mailLink }, { ...members.deps, mailLink: undefined }),
    routes: [
      ...operators.routes,
      ...members.routes,
      ...oidcRoutes({
        ...signIn,
        oidc,
        ways: deps.ways,
        sealingKey: deriveKey(secret, 'people/seal'),
        log,
      }),
    ],
    findLink: (seed: Buffer) => findLink(database.db, deps, seed),
    /** The sandbox creates a link at every start; live mode only until an operator has signed in. */
    inviteFirstAdmin: () => inviteFirst(database, deps, FIRST_ADMIN, mode === 'sandbox'),
    /** Undefined if the address of the first owner belongs to someone else. */
    inviteFirstOwner: (first: Omit<Identity, 'id' | 'role'>) =>
      inviteFirst(database, members.deps, { ...first, role: 'owner' }, true).catch((error: unknown) => {
        if (!isUniqueViolation(error, 'person_email_uq')) throw error;
        return undefined;
      }),
  };
}

const FIRST_ADMIN = {
  accountId: null,
  name: 'Administrator',
  email: 'admin@localhost',
  role: 'admin',
} as const;

function rejectLocal(): never {
  throw new ApiError('forbidden', {
    message:
      'Passwords and passkeys are turned off here. Use single sign-on, or a sign-in link from an admin.',
  });
}

function toOidcSettings(config: Config): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, roleClaim: config.oidcRoleClaim };
}
