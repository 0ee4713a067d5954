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

export async function readPasskeys(db: Db, operatorId: string) {
  return (await sql.listPasskeys(db, operatorId)).map(formatPasskey);
}

export async function addPasskey(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  { name = 'Passkey', id, rawId, type, response }: Static<typeof PasskeyCreateBody>,
) {
  const { operator } = session;
  const credential = { id, rawId, type, response, clientExtensionResults: {} };
  const { challenge, ...passkey } = await verifyNew(deps, exchange, operator, credential);
  await changeCredentials(deps, exchange, session, 'operator.passkey.add', async (tx) => {
    const isFirst = await sql.takeChallenge(tx, challenge, CHALLENGE_LIFETIME_MS);
    const isNew = isFirst && (await sql.insertPasskey(tx, { ...passkey, operatorId: operator.id, name }));
    if (!isNew) throw conflict('This passkey is already registered.');
    return { id: passkey.id, name };
  });
  return (await readPasskeys(deps.database.db, operator.id)).find((one) => one.id === passkey.id);
}

/** Throws not-found, also for other operators' passkeys. */
export function removePasskey(
  deps: SignInDeps,
  exchange: Exchange,
  session: Session,
  id: string,
): Promise<void> {
  return changeCredentials(deps, exchange, session, 'operator.passkey.remove', async (tx) => {
    requireFound((await sql.deletePasskey(tx, id, session.operator.id)) || undefined, 'passkey');
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
