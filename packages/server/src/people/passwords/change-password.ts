import type { PasswordBody, PasswordChangeBody } from '@keyport/contract/operators/people';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Exchange } from '@keyport/http/server/exchange';
import type { Static } from 'typebox';
import { requireProof } from '../../operations/permission.ts';
import { toEmailKey } from '../email.ts';
import { deletePasskeys } from '../passkeys/passkeys.sql.ts';
import {
  type Credentials,
  findCredentials,
  loadCredentials,
  lockPasswordHash,
  updatePassword,
} from '../people.sql.ts';
import { deleteOtherSessions } from '../sessions/sessions.sql.ts';
import type { Session } from '../sessions/sessions.ts';
import { changeCredentials, needsCurrentPassword, type Proof, type SignInDeps } from '../sessions/sign-in.ts';
import { hashPassword, isPassword } from './passwords.ts';

/** Undefined: wrong address or password. Throws too-many-requests. */
export function findByPassword(
  { database, guesses, toAddress, audience }: SignInDeps,
  { request }: Exchange,
  { email, password }: Static<typeof PasswordBody>,
): Promise<Credentials | undefined> {
  const source = { address: toAddress(request), person: toEmailKey(email) };
  return guesses.allow(source, async () => {
    const credentials = await findCredentials(database.lane('anonymous').db, audience, email);
    const isRight = await isPassword(password, credentials?.passwordHash ?? null, source.address);
    return isRight ? credentials : undefined;
  });
}

/** In the transaction, because the password may have changed since the check. */
export function provePassword(person: Credentials): Proof['prove'] {
  return async (tx) => ((await lockPasswordHash(tx, person)) ? person.id : undefined);
}

export async function changePassword(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  { password, currentPassword, removePasskeys = false }: Static<typeof PasswordChangeBody>,
): Promise<void> {
  const { database, guesses, toAddress } = deps;
  const { person, token } = session;
  const { passwordHash } = await loadCredentials(database.db, person.id);
  if (passwordHash === null) requireProof(session);
  if (needsCurrentPassword(session, passwordHash)) {
    const source = { address: toAddress(exchange.request), person: toEmailKey(person.email) };
    const isRight = await guesses.allow(source, async () =>
      (await isPassword(currentPassword ?? '', passwordHash, source.address)) ? true : undefined,
    );
    if (isRight !== true) throw invalidField('body.currentPassword', 'must be your current password');
  }
  const hash = await hashPassword(password);
  await changeCredentials(deps, exchange, session, 'password', async (tx) => {
    await updatePassword(tx, person.id, hash);
    // A stolen password may have opened other sessions.
    await deleteOtherSessions(tx, person.id, token.mac);
    return removePasskeys ? { removedPasskeys: await deletePasskeys(tx, person.id) } : {};
  });
}
