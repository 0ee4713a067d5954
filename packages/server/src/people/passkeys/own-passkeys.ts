import type { PasskeyCreateBody } from '@keyport/contract/operators/people';
import { formatDateTime } from '@keyport/core/date-time';
import { conflict, requireFound } from '@keyport/http/replies/api-error';
import type { Exchange } from '@keyport/http/server/exchange';
import type { Static } from 'typebox';
import type { Db } from '../../db/schema.ts';
import type { Session } from '../sessions/sessions.ts';
import { changeCredentials, type SignInDeps } from '../sessions/sign-in.ts';
import { CHALLENGE_LIFETIME_MS } from './challenges.ts';
import * as sql from './passkeys.sql.ts';
import { verifyNew } from './prove-passkey.ts';

export async function readPasskeys(db: Db, personId: string) {
  return (await sql.listPasskeys(db, personId)).map(formatPasskey);
}

export async function addPasskey(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  { name = 'Passkey', id, rawId, type, response }: Static<typeof PasskeyCreateBody>,
) {
  const { person } = session;
  const credential = { id, rawId, type, response, clientExtensionResults: {} };
  const { challenge, ...passkey } = await verifyNew(deps, exchange, person, credential);
  await changeCredentials(deps, exchange, session, 'passkey.add', async (tx) => {
    const isFirst = await sql.takeChallenge(tx, challenge, CHALLENGE_LIFETIME_MS);
    const isNew = isFirst && (await sql.insertPasskey(tx, { ...passkey, personId: person.id, name }));
    if (!isNew) throw conflict('This passkey is already registered.');
    return { id: passkey.id, name };
  });
  return (await readPasskeys(deps.database.db, person.id)).find((one) => one.id === passkey.id);
}

/** Throws not-found, also for other people's passkeys. */
export function removePasskey(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  id: string,
): Promise<void> {
  return changeCredentials(deps, exchange, session, 'passkey.remove', async (tx) => {
    requireFound((await sql.deletePasskey(tx, id, session.person.id)) || undefined, 'passkey');
    return { id };
  });
}

function formatPasskey({ id, name, usedAtMicros, createdAtMicros }: sql.PasskeyRow) {
  return {
    id,
    name,
    lastUsedAt: usedAtMicros === null ? null : formatDateTime(usedAtMicros),
    createdAt: formatDateTime(createdAtMicros),
  };
}
