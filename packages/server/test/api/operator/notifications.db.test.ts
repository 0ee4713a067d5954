/** A590. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { manual, startHarness } from '../../support/harness.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { enter, type Person, postLink, seedPerson, someEmail } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const server = await startMailServer(wholeFile);
const h = await startHarness(wholeFile, {
  KEYPORT_SMTP_URL: server.url,
  KEYPORT_MAIL_FROM: 'Keyport <keyport@marketplace.example>',
  KEYPORT_APPROVAL_ABOVE: '5.00',
  KEYPORT_LOW_STOCK_UNITS: '0',
});
const { db } = h.database;
const { offerId } = await h.seed.listing({ price: '10.00', stock: 50 });
const shop = await h.seed.reseller({ balance: '1000.00', account: { name: 'Acme <b>', holdOrders: true } });
const buyer = await h.seed.reseller({ balance: '100.00' });
const ada = await seedPerson(h, 'support');
await h.service.notifyOperators();

const ME = '/admin/v1/me';
const NONE = { console: false, mail: false };
const EVENTS = ['held-order', 'approval', 'claim', 'endpoint', 'invariant', 'low-stock'];

const toList = async (person: Person, query = '') =>
  (await person.call('GET', `${ME}/notifications${query}`)).body;
const choose = (person: Person, channels: object, events = EVENTS) => {
  const chosen = EVENTS.map((event) => [event, events.includes(event) ? channels : NONE]);
  return person.call('PUT', `${ME}/notification-preferences`, {
    body: { events: Object.fromEntries(chosen) },
  });
};
const mailsTo = (email: string) => server.received.filter(({ to }) => to.includes(email));
const toEmail = async (person: Person) =>
  (await person.call('GET', `${ME}/notification-preferences`)).body.data.mail.address;
const hold = async () => (await shop.order(manual(offerId))).body.data.id as string;
/** Ends the pause between two messages. */
const endPauses = () => sql`UPDATE notification_channel SET due_at = now()`.execute(db);

test('200: the console lists every notification, unread until it is read or its cause ends', async () => {
  deepEqual((await toList(ada)).data, []);
  const orderId = await hold();
  await Promise.all([h.service.notifyOperators(), h.service.notifyOperators()]);
  const { data, meta } = await toList(ada);
  const [{ id, at, ...notification }, ...others] = data;
  deepEqual(others, []);
  equal(meta.unread, 1);
  ok(at <= new Date(Date.now() + 1_000).toISOString());
  deepEqual(notification, {
    event: 'held-order',
    subject: orderId,
    title: `${orderId}, Acme <b>, EUR 10.00`,
    path: `/orders/${orderId}`,
    endedAt: null,
    unread: true,
  });
  const read = await ada.call('POST', `${ME}/notifications/read`, { body: { upTo: id } });
  deepEqual(read.body.data, { unread: 0 });
  deepEqual((await toList(ada, '?unread=true')).data, []);
  const other = await hold();
  await h.service.notifyOperators();
  equal((await toList(ada)).meta.unread, 1);
  await h.operate('POST', `/orders/${other}/release`, { reason: 'Checked' });
  await h.service.notifyOperators();
  const [over] = (await toList(ada)).data;
  ok(over.endedAt >= over.at);
  deepEqual([over.subject, over.unread, (await toList(ada)).meta.unread], [other, false, 0]);
});

test('200: only people who may decide an approval are notified of it, not the requester', async () => {
  const finance = await seedPerson(h, 'finance');
  const viewer = await seedPerson(h, 'viewer');
  const other = await seedPerson(h, 'finance');
  // The test pretends that another admin invited them.
  await sql`DELETE FROM credential_holder`.execute(db);
  const asked = await finance.call('POST', `/admin/v1/accounts/${shop.accountId}/deposits`, {
    body: { amount: '6.00', reference: randomUUID() },
    headers: { 'idempotency-key': randomUUID() },
  });
  equal(asked.status, 202);
  await h.service.notifyOperators();
  const approvals = async (person: Person) =>
    (await toList(person)).data.filter(({ event }: { event: string }) => event === 'approval');
  const [approval] = await approvals(other);
  equal(approval.path, `/approvals/${asked.body.data.id}`);
  for (const person of [finance, viewer, ada]) deepEqual(await approvals(person), []);
});

test('200: a mail has the new notifications of the chosen events, with counts, at most once a minute', async () => {
  const preferences = await choose(ada, { console: true, mail: true }, ['held-order', 'claim']);
  equal(preferences.status, 200);
  deepEqual(preferences.body.data.events.invariant, NONE);
  const email = await toEmail(ada);
  await h.service.notifyOperators();
  deepEqual(mailsTo(email), [], 'nothing from before');
  const first = await hold();
  await h.service.notifyOperators();
  const [mail] = mailsTo(email);
  match(mail?.source ?? '', /^Subject: Keyport: 1 held order: \d+, Acme <b>, EUR 10\.00\r$/m);
  match(mail?.source ?? '', /^From: Keyport <keyport@marketplace.example>\r$/m);
  ok(mail?.text.includes(`* ${first}, Acme <b>, EUR 10.00\n  ${h.url}/console/orders/${first}`));
  ok(mail?.text.includes(`Choose what you get: ${h.url}/console/profile`));
  for (let count = 0; count < 12; count += 1) await hold();
  await h.service.notifyOperators();
  equal(mailsTo(email).length, 1, 'the pause');
  await endPauses();
  await Promise.all([h.service.notifyOperators(), h.service.notifyOperators()]);
  const [, digest, ...others] = mailsTo(email);
  deepEqual(others, []);
  match(digest?.source ?? '', /^Subject: Keyport: 12 held orders\r$/m);
  ok(digest?.text.includes(`and 2 more: ${h.url}/console`));
});

test('200: a rejected mail is retried with everything new, and is an incident until it is sent', async () => {
  const email = await toEmail(ada);
  const before = mailsTo(email).length;
  server.reject('No such mailbox');
  await endPauses();
  const first = await hold();
  await h.service.notifyOperators();
  const { mail } = (await ada.call('GET', `${ME}/notification-preferences`)).body.data;
  match(mail.error, /No such mailbox/);
  ok(mail.failingSince !== null);
  await h.service.noteIncidents();
  const [incident] = await h.operate('GET', '/incidents?kind=notification&open=true');
  deepEqual([incident.subject, incident.title], [`${ada.id}/mail`, 'Ada, mail: SMTP 450']);
  server.reject(undefined);
  await h.service.notifyOperators();
  equal(mailsTo(email).length, before, 'not before the time of the retry');
  await endPauses();
  const second = await hold();
  await h.service.notifyOperators();
  const text = mailsTo(email)[before]?.text ?? '';
  ok(text.includes(first) && text.includes(second));
  await h.service.noteIncidents();
  deepEqual(await h.operate('GET', '/incidents?kind=notification&open=true'), []);
});

test('a mail that was sent but could not be recorded does not count as failed', async () => {
  const email = await toEmail(ada);
  const before = mailsTo(email).length;
  await endPauses();
  await hold();
  await sql`ALTER TABLE notification_channel ADD CONSTRAINT stuck CHECK (tries > 0) NOT VALID`.execute(db);
  await h.service.notifyOperators();
  await sql`ALTER TABLE notification_channel DROP CONSTRAINT stuck`.execute(db);
  equal(mailsTo(email).length, before + 1);
  const { mail } = (await ada.call('GET', `${ME}/notification-preferences`)).body.data;
  deepEqual([mail.failingSince, mail.error], [null, null]);
  await h.service.notifyOperators();
  equal(mailsTo(email).length, before + 1, 'not before the lease ends');
});

test('another node sends after the lease if a node dies while it sends', async () => {
  const email = await toEmail(ada);
  const before = mailsTo(email).length;
  const orderId = await hold();
  await sql`UPDATE notification_channel SET due_at = now() + interval '1 second', tries = 1`.execute(db);
  await h.service.notifyOperators();
  equal(mailsTo(email).length, before, 'leased');
  await endPauses();
  await h.service.notifyOperators();
  ok(mailsTo(email)[before]?.text.includes(orderId));
});

test('a notification of an endpoint has its host, not its URL', async () => {
  const url = 'https://hooks.shop.example/in?key=hush';
  const created = await h.call('POST', '/export/v1/webhook-endpoints', {
    token: buyer.token,
    body: { url, types: ['*'] },
  });
  await sql`UPDATE webhook_endpoint SET failing_since = now() WHERE id = ${created.body.data.id}`.execute(db);
  await h.service.noteIncidents();
  await choose(ada, { console: true, mail: false });
  await h.service.notifyOperators();
  const [notification] = (await toList(ada)).data;
  deepEqual([notification.event, notification.title], ['endpoint', 'Shop, hooks.shop.example']);
  await sql`UPDATE webhook_endpoint SET failing_since = NULL`.execute(db);
});

test('a notification of a request names the booking, its amount and who asks', async () => {
  const { accountId } = await h.seed.reseller({ balance: '90.00', account: { name: 'Northwind' } });
  await h.operate('POST', `/accounts/${accountId}/payouts`, { amount: '70.00', reference: 'out-1' });
  await h.service.noteIncidents();
  // No operator of this file may approve what the first one asks.
  const { rows } = await sql<{
    title: string;
  }>`SELECT title FROM matter WHERE kind = 'approval' ORDER BY id DESC`.execute(db);
  match(rows[0]?.title ?? '', /^Northwind, payout of EUR 70\.00, requested by \S/);
});

test('200: a mail leaves out notifications whose cause has ended', async () => {
  await choose(ada, { console: true, mail: true }, ['held-order']);
  const email = await toEmail(ada);
  await endPauses();
  await h.service.notifyOperators();
  const before = mailsTo(email).length;
  await sql`UPDATE notification_channel SET due_at = now() + interval '1 minute'`.execute(db);
  const orders = [await hold(), await hold(), await hold()];
  await h.service.notifyOperators();
  await h.operate('POST', `/orders/${orders[0]}/release`, { reason: 'Checked' });
  await h.service.noteIncidents();
  await endPauses();
  await h.service.notifyOperators();
  const [mail, ...others] = mailsTo(email).slice(before);
  deepEqual(others, []);
  match(mail?.source ?? '', /^Subject: Keyport: 2 held orders\r$/m);
  deepEqual(
    orders.map((id) => mail?.text.includes(id)),
    [false, true, true],
  );
});

test('200: each round begins and ends a limited number of notifications', async () => {
  const reader = await seedPerson(h, 'viewer');
  await choose(reader, { console: true, mail: false }, ['endpoint']);
  const { accountId } = await h.seed.reseller();
  const unreadAfter = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) await h.service.notifyOperators();
    return (await toList(reader)).meta.unread;
  };
  const before = await unreadAfter(1);
  await sql`INSERT INTO webhook_endpoint (id, account_id, url, types, failing_since)
    SELECT 'we_many' || number, ${accountId}::uuid, 'https://many.example', '{}', now()
    FROM generate_series(1, 450) AS number`.execute(db);
  equal(await unreadAfter(3), before + 450);
  const { rows } = await sql`
    SELECT count(*) FROM matter WHERE subject LIKE 'we_many%' GROUP BY began_at ORDER BY 1 DESC`.execute(db);
  deepEqual(rows, [{ count: 200 }, { count: 200 }, { count: 50 }]);
  await sql`DELETE FROM webhook_endpoint WHERE account_id = ${accountId}::uuid`.execute(db);
  equal(await unreadAfter(1), before);
});

test('201: sign-in links are mailed, with retries, until they are used', async () => {
  const email = someEmail();
  const invited = await h.operate('POST', '/operators', { name: 'Grace', email, role: 'viewer' });
  equal(invited.mailed, true);
  server.reject('Busy');
  await h.service.notifyOperators();
  server.reject(undefined);
  await endPauses();
  await h.service.notifyOperators();
  const [mail, ...others] = mailsTo(email);
  deepEqual(others, []);
  const [link] = /http\S+#token=\S+/.exec(mail?.text ?? '') ?? [];
  equal(link, invited.invitationUrl);
  enter(h, await postLink(h, link ?? ''));
  const { invitationUrl } = await h.operate('POST', `/operators/${invited.id}/invite`);
  enter(h, await postLink(h, invitationUrl));
  await endPauses();
  await h.service.notifyOperators();
  equal(mailsTo(email).length, 1);
  const { rows } =
    await sql`SELECT FROM notification_channel WHERE channel = 'link' AND owner = ${invited.id}`.execute(db);
  equal(rows.length, 0);
});

test('a recipient for whom the mail server hangs delays no one else', async () => {
  const [slow, quick] = [someEmail(), someEmail()];
  const isHanging = server.hangFor(slow);
  await h.operate('POST', '/operators', { name: 'Slow', email: slow, role: 'viewer' });
  void h.service.notifyOperators();
  await isHanging;
  await h.operate('POST', '/operators', { name: 'Quick', email: quick, role: 'viewer' });
  await waitUntil(async () => mailsTo(quick).length === 1, 'the link of the other person');
  deepEqual(mailsTo(slow), []);
  server.endHanging();
  await waitUntil(async () => mailsTo(slow).length === 1, 'the link of the first person');
});

test('the inviter sees that a link waits for the mail server, and it is sent soon after it is back', async () => {
  const email = someEmail();
  await server.refuseConnections();
  const { id } = await h.operate('POST', '/operators', { name: 'Late', email, role: 'viewer' });
  const unsent = async () => (await h.operate('GET', `/operators/${id}`)).unsentLink;
  deepEqual(await unsent(), {});
  const { error } = await waitUntil(async () => {
    const link = await unsent();
    return link?.error !== undefined && link;
  }, 'a failed attempt');
  match(error, /^The host refused the connection: .*\(ECONNREFUSED\)\.$/);
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM notification_channel
    WHERE owner = ${id} AND channel = 'link'`.execute(db);
  ok((rows[0]?.seconds ?? 0) < 60, 'the next attempt is soon');
  await server.acceptConnections();
  await waitUntil(async () => mailsTo(email).length === 1, 'the link');
  await waitUntil(async () => (await unsent()) === undefined, 'the end of the note');
});

test('a changed address gets no link that was made for the earlier one', async () => {
  const [email, other] = [someEmail(), someEmail()];
  const { id } = await h.operate('POST', '/operators', { name: 'Grace', email, role: 'viewer' });
  await h.operate('PATCH', `/operators/${id}`, { email: other });
  await h.service.notifyOperators();
  deepEqual([...mailsTo(email), ...mailsTo(other)], []);
});

test('403: an approver may not approve if the requester set the address of the approver’s links', async () => {
  const requester = await seedPerson(h);
  const approver = await seedPerson(h);
  const patched = await requester.call('PATCH', `/admin/v1/operators/${approver.id}`, {
    body: { email: someEmail() },
  });
  equal(patched.status, 200);
  const { invitationUrl } = await h.operate('POST', `/operators/${approver.id}/reset-credentials`);
  const entered = enter(h, await postLink(h, invitationUrl));
  const asked = await requester.call('POST', `/admin/v1/accounts/${shop.accountId}/adjustments`, {
    body: { amount: '6.00', direction: 'credit', reference: randomUUID(), reason: 'x' },
  });
  equal(asked.status, 202);
  const path = `/admin/v1/approvals/${asked.body.data.id}/approve`;
  equal((await entered.call('POST', path, { body: {} })).status, 403);
});

test('nothing is sent to disabled people', async () => {
  const person = await seedPerson(h, 'viewer');
  await choose(person, { console: true, mail: true });
  const email = await toEmail(person);
  await hold();
  await h.operate('PATCH', `/operators/${person.id}`, { status: 'disabled' });
  await h.service.notifyOperators();
  deepEqual(mailsTo(email), [], 'no digest, and no link');
});

test('400, 409: a choice is complete, and a client can read notifications but has no preferences', async () => {
  const none = await ada.call('PUT', `${ME}/notification-preferences`, { body: { events: {} } });
  equal(none.status, 400);
  const token = await operatorClient(h, 'viewer');
  equal((await h.call('GET', `${ME}/notifications`, { token })).status, 200);
  const events = Object.fromEntries(EVENTS.map((event) => [event, NONE]));
  const path = `${ME}/notification-preferences`;
  equal((await h.call('PUT', path, { token, body: { events } })).status, 409);
});
