/** The people who operate the service: who they are, and their sessions. */
import type { KeyObject } from 'node:crypto';
import type { Config } from '../config.ts';
import { deriveKey } from '../custody/derive-key.ts';
import type { Database } from '../db/database.ts';
import type { AddressOf } from '../http/addresses.ts';
import { inviteFirstAdmin } from './invitations.ts';
import { buildOperatorHandlers } from './operators.routes.ts';
import { sessionRoutes } from './session.routes.ts';
import { createSessions } from './sessions.ts';

export function openPeople(options: {
  readonly database: Database;
  readonly secret: KeyObject;
  readonly publicUrl: () => string;
  readonly addressOf: AddressOf;
  readonly config: Config;
}) {
  const { database, publicUrl, addressOf, config } = options;
  const key = deriveKey(options.secret, 'people');
  const sessions = createSessions({ database, key, publicUrl });
  return {
    authenticate: sessions.authenticate,
    handlers: buildOperatorHandlers({ database, key, publicUrl }),
    routes: sessionRoutes({ database, key, sessions, addressOf, mode: config.mode, approvalAbove: null }),
    /** A link that opens the console signed in: at every start in the sandbox, otherwise until somebody has signed in. */
    inviteFirstAdmin: () => inviteFirstAdmin(database, { key, publicUrl }, config.mode === 'sandbox'),
  };
}
