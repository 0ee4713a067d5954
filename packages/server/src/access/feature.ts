/** Identifies callers: tokens, clients and the addresses that they may call from. */

import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressSetOf, createAddressOf } from '@keyport/http/admission/addresses';
import type { Principal } from '@keyport/http/server/principal';
import type { Logger } from 'pino';
import type { MasterKeys } from '../custody/master-keys.ts';
import type { Database } from '../db/engines/database.ts';
import { ClientLookup } from './clients/client-lookup.ts';
import { createClientStates } from './clients/client-states.ts';
import { createClients } from './clients/clients.ts';
import { createFailureLimit } from './clients/failure-limit.ts';
import { createAuthenticator } from './tokens/authenticate.ts';
import { openSigningKeys } from './tokens/signing-keys.ts';
import { createTokenErrorForm, TOKEN_PREFIX, tokenRoutes } from './tokens/token.routes.ts';

export type AuthOptions = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly clientSecretMac: KeyObject;
  readonly tokenTtlSeconds: number;
  readonly trustedProxies: readonly string[];
  readonly publicUrl: () => string;
  /** The time that tokens are issued and checked by. */
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly onError: (error: unknown) => void;
  /** Called for every wrong secret, with where it came from. */
  readonly onWrongSecret: (source: string) => void;
};

export async function openAuth(options: AuthOptions) {
  const { database, masterKeys, tokenTtlSeconds, nowMs, log, onError } = options;
  const runningMs = () => performance.now();
  const clients = createClients(options.clientSecretMac);
  const clientStates = createClientStates({ database, nowMs, onError });
  const keys = await openSigningKeys({ database, masterKeys, tokenTtlSeconds, nowMs: runningMs, onError });
  const realm = { keys, issuer: options.publicUrl, nowMs };
  const { authenticate, known } = createAuthenticator({ realm, clientStates });
  const addressOf = createAddressOf(addressSetOf(options.trustedProxies));
  const failures = createFailureLimit(runningMs, options.onWrongSecret);
  const readStates = () => clientStates.tick().catch(onError);
  const mayCall = ({ clientId }: Principal, request: IncomingMessage) =>
    clientStates.allowedFor(clientId)?.includes(addressOf(request)) ?? true;
  const lookup = new ClientLookup(database.lane('anonymous').kysely);
  return {
    clients,
    authenticate,
    mayCall,
    addressOf,
    /** The caller, if the token is known and valid; undefined for all others. */
    knownCaller(request: IncomingMessage): Principal | undefined {
      const caller = known(request.headers.authorization ?? '');
      return caller !== undefined && mayCall(caller, request) ? caller : undefined;
    },
    onAccountChanged: () => void readStates(),
    /** Resolves when a change of an account is known here. */
    readStates,
    ownLimitsOf: clientStates.ownLimitsOf,
    onClientChanged: (clientId: string) => void clientStates.refreshClient(clientId).catch(onError),
    onWrongSecretElsewhere: failures.recordElsewhere,
    anonymousWaiting: () => lookup.waitingCount,
    routes: tokenRoutes({ clients, lookup, realm, keys, failures, addressOf, tokenTtlSeconds }),
    errorForm: { prefix: TOKEN_PREFIX, form: createTokenErrorForm(log) },
    start: clientStates.start,
    close() {
      clientStates.stop();
      keys.stop();
    },
  };
}
