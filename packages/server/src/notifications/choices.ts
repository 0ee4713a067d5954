/** A590. */
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
import * as sql from './channels.sql.ts';
import type { Wanted } from './notices.sql.ts';

const BY_DEFAULT = { console: true, mail: false };

/** A client has the defaults. */
async function loadChoices(db: Db, owner: string): Promise<NotificationChoices> {
  const chosen = await sql.findChoices(db, owner);
  const choices = NOTIFICATION_EVENTS.map((event) => [event, chosen?.[event] ?? BY_DEFAULT]);
  return Object.fromEntries(choices) as NotificationChoices;
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
  const { failingSinceMicros = null, error = null } =
    channels.find(({ channel }) => channel === 'mail') ?? {};
  const failingSince = failingSinceMicros === null ? null : formatDateTime(failingSinceMicros);
  const address = hasMail ? ((await sql.findAddress(db, clientId)) ?? null) : null;
  return { events: await loadChoices(db, clientId), mail: { address, failingSince, error } };
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
  await sql.writeChoices(tx, owner, body.events);
  if (NOTIFICATION_EVENTS.some((event) => body.events[event].mail)) await sql.beginMail(tx, owner);
  else await sql.endMail(tx, owner);
  const data = changesBetween(before, body.events, NOTIFICATION_EVENTS);
  await audit(tx, request, 'operator.notifications', { data });
  return readPreferences(tx, hasMail, principal);
}

async function requirePerson(tx: Tx, owner: string): Promise<void> {
  if ((await sql.findAddress(tx, owner)) === undefined)
    throw conflict('A client can only read notifications. Nothing was changed.');
}
