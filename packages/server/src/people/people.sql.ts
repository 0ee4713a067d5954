/** Locks: all active admins or owners, by id; a person before their links and sessions. */
import { allRows, execute, firstRow, hasRows, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';
import type { Audience, Identity } from './audiences.ts';
import { toEarlierEmailKey, toEmailKey } from './email.ts';
import type { Ways } from './ways.ts';

export type PersonRow = Identity & {
  readonly isDisabled: boolean;
  readonly isAccountClosed: boolean;
  readonly lastSeenAtMicros: number | null;
  readonly createdAtMicros: number;
  /** The last failure to mail a sign-in link that is still to be mailed; empty before the first attempt. */
  readonly unsentLinkError: string | null;
};

export type PersonSettings = Pick<PersonRow, 'name' | 'email' | 'role' | 'isDisabled'>;

const COLUMNS = sql`person.id, person.account_id AS "accountId", person.name, person.email, person.role,
  person.disabled_at IS NOT NULL AS "isDisabled",
  EXISTS (SELECT FROM account WHERE account.id = person.account_id AND status = 'closed') AS "isAccountClosed",
  ${deriveMicros('person.last_seen_at')} AS "lastSeenAtMicros",
  ${deriveMicros('person.created_at')} AS "createdAtMicros", (
    SELECT coalesce(error, '') FROM notification_channel WHERE owner = person.id AND channel = 'link'
  ) AS "unsentLinkError"`;

/** person_email_uq rejects the address of another person of the audience. */
export function insertPerson(tx: Tx, { id, accountId, name, email, role }: Identity): Promise<PersonRow> {
  return onlyRow<PersonRow>(tx)`
    INSERT INTO person (id, audience, account_id, name, email, email_key, role)
    VALUES (${id}, ${accountId === null ? 'operator' : 'reseller'}, ${accountId}::uuid, ${name}, ${email},
      ${toEmailKey(email)}, ${role}) RETURNING ${COLUMNS}`;
}

export function findPerson(db: Db, id: string): Promise<PersonRow | undefined> {
  return firstRow<PersonRow>(db)`SELECT ${COLUMNS} FROM person WHERE id = ${id}`;
}

export type Credentials = {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly passkeyCount: number;
};

const CREDENTIALS = sql`id, password_hash AS "passwordHash",
  (SELECT count(*) FROM person_passkey WHERE person_id = person.id) AS "passkeyCount"`;

export function loadCredentials(db: Db, id: string): Promise<Credentials> {
  return onlyRow<Credentials>(db)`SELECT ${CREDENTIALS} FROM person WHERE id = ${id}`;
}

export async function findCredentials(
  db: Db,
  { name }: Audience,
  email: string,
): Promise<Credentials | undefined> {
  const rows = await allRows<Credentials & { email: string }>(db)`
    SELECT ${CREDENTIALS}, email FROM person
    WHERE email_key IN (${toEmailKey(email)}, ${toEarlierEmailKey(email)}) AND audience = ${name}`;
  return rows.find((row) => toEmailKey(row.email) === toEmailKey(email));
}

/** Returns whether this is still the password; if so, the row stays locked until the transaction ends. */
export function lockPasswordHash(tx: Tx, { id, passwordHash }: Credentials): Promise<boolean> {
  return hasRows(tx)`
    SELECT FROM person WHERE id = ${id} AND password_hash = ${passwordHash} FOR UPDATE`;
}

export async function updatePassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await execute(tx)`UPDATE person SET password_hash = ${passwordHash} WHERE id = ${id}`;
}

export async function lockVouchedFor(
  tx: Tx,
  subject: string,
  email: string,
): Promise<(PersonRow & { readonly oidcSubject: string | null }) | undefined> {
  const rows = await allRows<PersonRow & { oidcSubject: string | null }>(tx)`
    SELECT ${COLUMNS}, oidc_subject AS "oidcSubject" FROM person
    WHERE account_id IS NULL
      AND (oidc_subject = ${subject} OR email_key IN (${toEmailKey(email)}, ${toEarlierEmailKey(email)}))
    ORDER BY oidc_subject = ${subject} DESC NULLS LAST FOR UPDATE`;
  return rows.find((row) => row.oidcSubject === subject || toEmailKey(row.email) === toEmailKey(email));
}

export async function updateOidcSubject(tx: Tx, id: string, subject: string): Promise<void> {
  await execute(tx)`UPDATE person SET oidc_subject = ${subject} WHERE id = ${id}`;
}

export function lockPerson(tx: Tx, id: string): Promise<PersonRow | undefined> {
  return firstRow<PersonRow>(tx)`
    SELECT ${COLUMNS} FROM person WHERE id = ${id} FOR UPDATE`;
}

/** The lock keeps two admins from removing each other concurrently. */
export function lockAdmins(tx: Tx, { isLocal, isOidc }: Ways): Promise<Admins> {
  return allRows<{ id: string; canSignIn: boolean }>(tx)`
    SELECT id,
      (${isLocal} AND (password_hash IS NOT NULL
        OR EXISTS (SELECT FROM person_passkey WHERE person_id = person.id)))
      OR (${isOidc} AND oidc_subject IS NOT NULL)
      OR EXISTS (SELECT FROM person_token
        WHERE person_id = person.id AND kind = 'link' AND ends_at > statement_timestamp())
        AS "canSignIn"
    FROM person WHERE role = 'admin' AND disabled_at IS NULL ORDER BY id FOR UPDATE OF person`;
}

/** An owner who has not signed in yet counts as none, so that a link to a wrong address can be ended. */
export function lockOwners(tx: Tx, accountId: string): Promise<Admins> {
  return allRows<{ id: string; canSignIn: boolean }>(tx)`
    SELECT id, true AS "canSignIn" FROM person
    WHERE account_id = ${accountId}::uuid AND role = 'owner' AND disabled_at IS NULL AND last_seen_at IS NOT NULL
    ORDER BY id FOR UPDATE`;
}

export type Admins = readonly { readonly id: string; readonly canSignIn: boolean }[];

export function isLastAdmin(admins: Admins, id: string): boolean {
  return admins.some((admin) => admin.id === id) && !admins.some((one) => one.id !== id && one.canSignIn);
}

export type RemovedCredentials = Readonly<{
  sessions: number;
  links: number;
  passkeys: number;
  password: boolean;
  singleSignOn: boolean;
}>;

/** `keepsSubject`: single sign-on must not admit a disabled operator as a new one. */
export function deleteCredentials(
  tx: Tx,
  id: string,
  { keepsSubject }: { readonly keepsSubject: boolean },
): Promise<RemovedCredentials> {
  return onlyRow<RemovedCredentials>(tx)`
    WITH before AS (SELECT password_hash, oidc_subject FROM person WHERE id = ${id}),
      token AS (DELETE FROM person_token WHERE person_id = ${id} RETURNING kind),
      passkey AS (DELETE FROM person_passkey WHERE person_id = ${id} RETURNING 1),
      channel AS (DELETE FROM notification_channel WHERE owner = ${id} AND channel = 'link'),
      person AS (
        UPDATE person SET password_hash = NULL,
          oidc_subject = CASE WHEN ${keepsSubject} THEN oidc_subject END WHERE id = ${id})
    SELECT (SELECT count(*) FROM token WHERE kind = 'session') AS sessions,
      (SELECT count(*) FROM token WHERE kind = 'link') AS links,
      (SELECT count(*) FROM passkey) AS passkeys, password_hash IS NOT NULL AS password,
      oidc_subject IS NOT NULL AND NOT ${keepsSubject} AS "singleSignOn"
    FROM before`;
}

export type Issued = Readonly<Record<'links' | 'secrets' | 'clients', readonly string[]>>;

/**
 * Ends what this person handed out, directly or through operator clients that they created: unused links (of
 * the returned people), secrets (of the returned clients), and clients, which can be enabled again. The audit
 * log names all of them.
 */
export function endIssued(tx: Tx, id: string): Promise<Issued> {
  return onlyRow<Issued>(tx)`
    WITH RECURSIVE issuer (id) AS (
        SELECT ${id}::text COLLATE "C"
        UNION SELECT (data ->> 'clientId') COLLATE "C" FROM audit_entry JOIN issuer ON client_id = issuer.id
        WHERE action = 'client.create' AND account_id IS NULL),
      issued AS (
        SELECT action, data FROM audit_entry WHERE client_id IN (SELECT id FROM issuer)
          AND action IN ('client.create', 'client.secret', 'client.rotate-secret', 'operator.create',
            'operator.invite', 'operator.reset-credentials', 'member.create', 'member.invite',
            'member.reset-credentials')),
      link AS (
        DELETE FROM person_token WHERE kind = 'link' AND ends_at > statement_timestamp() AND person_id <> ${id}
          AND person_id IN (SELECT data ->> 'id' FROM issued WHERE action NOT LIKE 'client.%')
        RETURNING person_id),
      made AS (
        UPDATE client SET disabled_at = clock_timestamp() WHERE disabled_at IS NULL
          AND id IN (SELECT data ->> 'clientId' FROM issued WHERE action = 'client.create')
        RETURNING id),
      secret AS (
        UPDATE client_secret SET retired_at = clock_timestamp() WHERE retired_at IS NULL
          AND (expires_at IS NULL OR expires_at > statement_timestamp())
          AND (client_id, translate(encode(substring(secret_mac FOR 9), 'base64'), '+/', '-_')) IN (
            SELECT data ->> 'clientId', data ->> 'secretId' FROM issued
            WHERE action IN ('client.secret', 'client.rotate-secret'))
        RETURNING client_id)
    SELECT ARRAY(SELECT DISTINCT person_id FROM link ORDER BY 1) AS links,
      ARRAY(SELECT DISTINCT client_id FROM secret ORDER BY 1) AS secrets,
      ARRAY(SELECT id FROM made ORDER BY 1) AS clients`;
}

/** A disabled member gives the address up, because no one could free an address that was invited by mistake. */
export async function updatePerson(tx: Tx, id: string, settings: PersonSettings): Promise<void> {
  const { name, email, role, isDisabled } = settings;
  await execute(tx)`
    UPDATE person SET name = ${name}, email = ${email}, role = ${role},
      email_key = CASE WHEN account_id IS NOT NULL AND ${isDisabled}::boolean THEN id ELSE ${toEmailKey(email)} END,
      disabled_at = CASE WHEN ${isDisabled}::boolean THEN coalesce(disabled_at, clock_timestamp()) END
    WHERE id = ${id}`;
}

/**
 * `isMailed`: links are mailed to the address. Single sign-on finds operators by address while their subject
 * is unknown. A500.
 */
export async function recordAddressHolder(
  tx: Tx,
  { id, holder, isMailed }: { readonly id: string; readonly holder: string; readonly isMailed: boolean },
): Promise<void> {
  await execute(tx)`
    INSERT INTO credential_holder (id, holder)
    SELECT id, ${holder} FROM person
    WHERE id = ${id} AND (${isMailed}::boolean OR oidc_subject IS NULL OR disabled_at IS NOT NULL)
    ON CONFLICT DO NOTHING`;
}

/** The link was meant for the earlier address. */
export async function deleteLinkToMail(tx: Tx, id: string): Promise<void> {
  await execute(tx)`DELETE FROM notification_channel WHERE owner = ${id} AND channel = 'link'`;
}

export function listPeople(
  db: Db,
  accountId: string | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PersonRow[]> {
  return allRows<PersonRow>(db)`
    SELECT ${COLUMNS} FROM person WHERE ${isOfAccount(accountId)}
    ORDER BY position LIMIT ${limit} OFFSET ${offset}`;
}

export function countPeople(db: Db, accountId: string | null): Promise<number> {
  return onlyValue<{ count: number }>(db)`
    SELECT count(*) AS count FROM person WHERE ${isOfAccount(accountId)}`;
}

/** No index: there are few people. */
function isOfAccount(accountId: string | null) {
  return sql`account_id IS NOT DISTINCT FROM ${accountId}::uuid`;
}

export function findFirst(
  db: Db,
  { accountId, role }: Pick<Identity, 'accountId' | 'role'>,
): Promise<{ readonly id: string | null; readonly hasAnyoneSignedIn: boolean }> {
  return onlyRow<{ id: string | null; hasAnyoneSignedIn: boolean }>(db)`
    SELECT
      (SELECT id FROM person WHERE ${isOfAccount(accountId)} AND role = ${role} AND disabled_at IS NULL
        ORDER BY position LIMIT 1) AS id,
      EXISTS (SELECT FROM person WHERE ${isOfAccount(accountId)} AND last_seen_at IS NOT NULL) AS "hasAnyoneSignedIn"`;
}

export async function lockFirstPerson(tx: Tx): Promise<void> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtext('keyport/first-person'))`;
}
