/** Signing in by e-mail address and password, and choosing a password. */
import { PasswordBody, PasswordChangeBody } from '@keyport/contract/operators/people';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import type { Route } from '@keyport/http/server/exchange';
import { auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { emailKeyOf } from '../email.ts';
import { findCredentials, loadCredentials, lockPasswordHash, updatePassword } from '../operators.sql.ts';
import { deletePasskeys } from '../passkeys/passkeys.sql.ts';
import { deleteOtherSessions } from '../sessions/sessions.sql.ts';
import { requireProof } from '../sessions/sessions.ts';
import {
  actingOf,
  bodyReader,
  needsCurrentPassword,
  SESSION_PATH,
  type SignInDeps,
  signIn,
} from '../sessions/sign-in.ts';
import { hashPassword, isPassword } from './passwords.ts';

const WRONG = 'The e-mail address or the password is wrong.';

export function passwordRoutes(deps: SignInDeps): Route[] {
  return [signInByPassword(deps), changePassword(deps)];
}

function signInByPassword(deps: SignInDeps): Route {
  const { database, sessions, guesses, addressOf } = deps;
  const readBody = bodyReader(PasswordBody);
  return {
    method: 'POST',
    path: `${SESSION_PATH}/password`,
    async handle(exchange) {
      sessions.requireOwnOrigin(exchange.request);
      const { email, password } = await readBody(exchange);
      const source = { address: addressOf(exchange.request), person: emailKeyOf(email) };
      const person = await guesses.allow(source, async () => {
        const credentials = await findCredentials(database.lane('anonymous').kysely, email);
        const isRight = await isPassword(password, credentials?.passwordHash ?? null, source.address);
        return isRight ? credentials : undefined;
      });
      if (person === undefined) throw new ApiError('unauthorized', { message: WRONG });
      return signIn(deps, exchange, {
        method: 'password',
        // It may have been changed while it was checked.
        prove: async (tx) => ((await lockPasswordHash(tx, person)) ? person.id : undefined),
        rejection: WRONG,
      });
    },
  };
}

function changePassword(deps: SignInDeps): Route {
  const { database, sessions, guesses, addressOf } = deps;
  const readBody = bodyReader(PasswordChangeBody);
  return {
    method: 'PUT',
    path: '/console/profile/password',
    async handle(exchange) {
      const session = await sessions.require(exchange.request);
      const { operator, token } = session;
      const { password, currentPassword, removePasskeys = false } = await readBody(exchange);
      const { passwordHash } = await loadCredentials(database.kysely, operator.id);
      if (passwordHash === null) requireProof(session);
      if (needsCurrentPassword(session, passwordHash)) {
        const source = { address: addressOf(exchange.request), person: emailKeyOf(operator.email) };
        const isRight = await guesses.allow(source, async () =>
          (await isPassword(currentPassword ?? '', passwordHash, source.address)) ? true : undefined,
        );
        if (isRight !== true) throw invalidField('body.currentPassword', 'must be your present password');
      }
      const hash = await hashPassword(password);
      await runTransaction(database, {}, async (tx) => {
        await sessions.hold(tx, session);
        await updatePassword(tx, operator.id, hash);
        // They may have been opened with a stolen password.
        await deleteOtherSessions(tx, operator.id, token.mac);
        const data = removePasskeys ? { removedPasskeys: await deletePasskeys(tx, operator.id) } : {};
        await insertAudit(tx, auditRecord(actingOf(deps, exchange, operator), 'operator.password', { data }));
      });
      return { status: 204 };
    },
  };
}
