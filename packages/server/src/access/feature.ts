import type { IncomingMessage } from 'node:http';
import { createAddressOf, toAddressSet } from '@keyport/http/admission/addresses';
import { createRateLimit } from '@keyport/http/admission/rate-limit';
import type { Principal } from '@keyport/http/server/principal';
import type { Platform } from '../platform.ts';
import { createClientStates } from './clients/client-states.ts';
import { findClaimedClient } from './clients/clients.sql.ts';
import { createClients } from './clients/clients.ts';
import { createFailureLimit } from './clients/failure-limit.ts';
import { createAuthenticator } from './tokens/authenticate.ts';
import { openSigningKeys } from './tokens/signing-keys.ts';
import { createTokenErrorForm, rejectToken, TOKEN_PREFIX, tokenRoutes } from './tokens/token.routes.ts';

export type Access = Awaited<ReturnType<typeof openAccess>>;

export async function openAccess(platform: Platform) {
  const { config, database, log, masterKeys, clock, publicUrl, secrets, nodeCount } = platform;
  const { tokenTtlSeconds } = config;
  const onError = (error: unknown) => log.warn({ err: error }, 'background task failed; retrying');
  const nowMs = () => clock.nowMs();
  const runningMs = () => performance.now();
  const clients = createClients(secrets.clientSecretMac);
  const clientStates = createClientStates({ database, nowMs, onError });
  const keys = await openSigningKeys({ database, masterKeys, tokenTtlSeconds, nowMs: runningMs });
  const realm = { keys, issuer: publicUrl, nowMs };
  const { authenticate, known } = createAuthenticator({ realm, clientStates });
  const toAddress = createAddressOf(toAddressSet(config.trustedProxies ?? []));
  const failures = createFailureLimit(runningMs, nodeCount);
  const rateLimit = createRateLimit({
    perSecond: { reads: config.rateLimitReadsPerSecond, orders: config.rateLimitOrdersPerSecond },
    nowMs: runningMs,
    nodeCount,
    ownLimitsOf: config.mode === 'sandbox' ? clientStates.ownLimitsOf : undefined,
  });
  const readStates = () => clientStates.tick().catch(onError);
  const mayCall = ({ clientId }: Principal, request: IncomingMessage) =>
    clientStates.allowedFor(clientId)?.includes(toAddress(request)) ?? true;
  const lane = database.lane('anonymous');
  const find = (clientId: string) => findClaimedClient(lane.db, clientId);
  return {
    clients,
    authenticate,
    mayCall,
    isReadOnly: ({ clientId }: Principal) => clientStates.isReadOnly(clientId),
    tokenNowMs: nowMs,
    toAddress,
    /** Undefined unless a cached, valid token permits the request. */
    knownCaller(request: IncomingMessage): Principal | undefined {
      const caller = known(request.headers.authorization ?? '');
      return caller !== undefined && mayCall(caller, request) ? caller : undefined;
    },
    onAccountChanged: () => void readStates(),
    readStates,
    rateLimit,
    rejectToken,
    onClientChanged: (clientId: string) => clientStates.refreshClient(clientId).catch(onError),
    anonymousWaiting: lane.waitingCount,
    routes: tokenRoutes({ clients, find, realm, keys, failures, toAddress, tokenTtlSeconds }),
    errorForm: { prefix: TOKEN_PREFIX, form: createTokenErrorForm(log) },
    reloadKeys: keys.reload,
    start: clientStates.start,
    close: clientStates.stop,
  };
}
