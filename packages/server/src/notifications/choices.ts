/** A590. */
import { createHmac, type KeyObject, randomUUID } from 'node:crypto';
import {
  NOTIFICATION_EVENTS,
  type NotificationChannel,
  type NotificationChoices,
  type NotificationPreferences,
} from '@keyport/contract/operators/notifications';
import { formatDateTime } from '@keyport/core/date-time';
import { conflict } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';
import { listApprovableIds } from '../approvals/requesters.ts';
import { audit, changesBetween } from '../audit/action.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { writeSecret } from '../webhooks/signature.ts';
import * as sql from './channels.sql.ts';
import type { Wanted } from './notices.sql.ts';

const DEFAULTS = { console: true, mail: false, chat: false };
const CHANNELS = Object.keys(DEFAULTS) as NotificationChannel[];

async function loadChoices(db: Db, owner: string): Promise<NotificationChoices> {
  const chosen = await sql.listChoices(db, owner);
  const of = (event: string) => ({
    ...DEFAULTS,
    ...Object.fromEntries(
      chosen.filter((row) => row.event === event).map(({ channel, isOn }) => [channel, isOn]),
    ),
  });
  return Object.fromEntries(NOTIFICATION_EVENTS.map((event) => [event, of(event)])) as NotificationChoices;
}

/** Every role may read all events, except other operators' approvals that it may not decide. */
export async function loadWanted(
  db: Db,
  principal: Principal,
  channel: NotificationChannel,
): Promise<Wanted> {
  const choices = await loadChoices(db, principal.clientId);
  const events = NOTIFICATION_EVENTS.filter((event) => choices[event][channel]);
  return {
    operatorId: principal.clientId,
    events,
    approvalIds: events.includes('approval') ? await listApprovableIds(db, principal) : [],
  };
}

/** `hasMail`: SMTP is configured. */
export async function readPreferences(
  db: Db,
  hasMail: boolean,
  { clientId }: Principal,
): Promise<NotificationPreferences> {
  const channels = await sql.listChannels(db, clientId);
  const stateOf = (wanted: NotificationChannel) => {
    const { failingSinceMicros = null, error = null } =
      channels.find(({ channel }) => channel === wanted) ?? {};
    return { failingSince: failingSinceMicros === null ? null : formatDateTime(failingSinceMicros), error };
  };
  const address = hasMail ? ((await sql.findAddress(db, clientId)) ?? null) : null;
  const url = channels.find(({ channel }) => channel === 'chat')?.url ?? null;
  return {
    events: await loadChoices(db, clientId),
    mail: { address, ...stateOf('mail') },
    chat: { url, ...stateOf('chat') },
  };
}

export async function putPreferences(
  tx: Tx,
  hasMail: boolean,
  request: OperationRequest<'putNotificationPreferences'>,
): Promise<NotificationPreferences> {
  const { principal, body } = request;
  const owner = principal.clientId;
  await requirePerson(tx, owner);
  const before = await loadChoices(tx, owner);
  const choices = NOTIFICATION_EVENTS.flatMap((event) =>
    CHANNELS.map((channel) => ({ event, channel, isOn: body.events[event][channel] })),
  );
  await sql.writeChoices(tx, owner, choices);
  if (choices.some(({ channel, isOn }) => channel === 'mail' && isOn)) await sql.beginMail(tx, owner);
  else await sql.deleteChannel(tx, owner, 'mail');
  const data = changesBetween(before, body.events, NOTIFICATION_EVENTS);
  await audit(tx, request, 'operator.notifications', { data });
  return readPreferences(tx, hasMail, principal);
}

/** The URL is a secret, so the audit log has only its host. */
export async function putChat(tx: Tx, key: KeyObject, request: OperationRequest<'putChatWebhook'>) {
  const { url } = request.body;
  const owner = request.principal.clientId;
  await requirePerson(tx, owner);
  const salt = randomUUID();
  await sql.writeChat(tx, owner, url, salt);
  const data = { host: new URL(url).host };
  await audit(tx, request, 'operator.chat.put', { data });
  return { url, secret: writeSecret(chatSecretOf(key, owner, salt)) };
}

export async function removeChat(tx: Tx, request: OperationRequest<'deleteChatWebhook'>): Promise<void> {
  const removed = await sql.deleteChannel(tx, request.principal.clientId, 'chat');
  if (removed?.url === undefined || removed.url === null) return;
  const data = { host: new URL(removed.url).host };
  await audit(tx, request, 'operator.chat.delete', { data });
}

async function requirePerson(tx: Tx, owner: string): Promise<void> {
  if ((await sql.findAddress(tx, owner)) === undefined)
    throw conflict('A client can only read notifications. Nothing was changed.');
}

export function chatSecretOf(key: KeyObject, owner: string, salt: string): Buffer {
  return createHmac('sha256', key).update(`${owner}\n${salt}`).digest();
}
