import type { AddressOf } from '@keyport/http/admission/addresses';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Config } from '../config.ts';
import { deriveKey } from '../custody/derive-key.ts';
import type { Platform } from '../platform.ts';
import { findLink, type InvitationDeps, inviteFirstAdmin } from './invitations.ts';
import { OIDC_CALLBACK_PATH, oidcRoutes } from './oidc.routes.ts';
import { createOidc, type OidcSettings } from './oidc.ts';
import { buildOperatorHandlers } from './operators.routes.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { canHavePasskeys } from './passkeys/prove-passkey.ts';
import { createGuesses } from './passwords/guesses.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { sessionRoutes } from './sessions/session.routes.ts';
import { createSessions } from './sessions/sessions.ts';

export type People = ReturnType<typeof openPeople>;

export function openPeople(
  platform: Platform,
  { toAddress, mailLink }: { readonly toAddress: AddressOf } & Pick<InvitationDeps, 'mailLink'>,
) {
  const { config, database, log, publicUrl, secrets, nodeCount } = platform;
  const secret = secrets.clientSecretMac;
  const key = deriveKey(secret, 'people');
  const settings = toOidcSettings(config);
  const oidc = settings && createOidc(settings, () => publicUrl() + OIDC_CALLBACK_PATH);
  const isLocal = config.localSignIn;
  const ways = { isLocal, isOidc: oidc !== undefined };
  const sessions = createSessions({ database, key, publicUrl, ways });
  const guesses = createGuesses(nodeCount);
  const signIn = {
    database,
    key,
    sessions,
    guesses,
    toAddress,
    publicUrl,
    mode: config.mode,
    approvalAbove: config.approvalAbove ?? null,
    lowStockUnits: config.lowStockUnits,
  };
  return {
    authenticate: sessions.authenticate,
    hasSession: sessions.isOurs,
    handlers: buildOperatorHandlers({ database, key, publicUrl, ways, mailLink }),
    routes: [
      ...sessionRoutes(signIn, (exchange) => ({
        mode: config.mode,
        password: isLocal,
        passkey: isLocal && canHavePasskeys(exchange),
        oidc: oidc === undefined ? null : { name: oidc.name },
      })),
      ...[...passwordRoutes(signIn), ...passkeyRoutes(signIn)].map((route) =>
        isLocal ? route : { ...route, handle: rejectLocal },
      ),
      ...oidcRoutes({ ...signIn, oidc, ways, sealingKey: deriveKey(secret, 'people/seal'), log }),
    ],
    findLink: (seed: Buffer) => findLink(database.db, { key, publicUrl }, seed),
    /** The sandbox creates a link at every start; live mode only until an operator has signed in. */
    inviteFirstAdmin: () => inviteFirstAdmin(database, { key, publicUrl }, config.mode === 'sandbox'),
  };
}

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
