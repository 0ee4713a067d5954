/** A20, A24, A26. */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Role } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import { toAddressSet } from '@keyport/http/admission/addresses';
import type { TokenHolder } from '@keyport/http/server/principal';
import type { Tx } from '../../db/schema.ts';
import {
  generateClientSecret,
  hashClientSecret,
  LIVE_SECRET_COUNT_MAX,
  matchesLiveSecret,
  toSecretId,
} from './client-secrets.ts';
import * as sql from './clients.sql.ts';

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };

/** `spellings`: all secrets that the caller may have meant. */
export type ClaimedCredentials = ClientCredentials & { readonly spellings?: readonly string[] };

export type ClientKind =
  | { readonly role: 'reseller'; readonly accountId: string; readonly operatorRole?: undefined }
  | { readonly role: 'operator'; readonly accountId: null; readonly operatorRole: Role };

type EnsuredClient = ClientCredentials & { readonly name: string | null; readonly isSecretNeeded: boolean };

export type FindClient = (clientId: string) => Promise<sql.ClaimedClient | undefined>;

export type Clients = ReturnType<typeof createClients>;

export function createClients(macKey: KeyObject) {
  async function addGivenSecret(tx: Tx, clientId: string, secret: string): Promise<void> {
    await sql.retireOldestSecrets(tx, clientId, LIVE_SECRET_COUNT_MAX - 1);
    await sql.insertClientSecret(tx, { clientId, mac: hashClientSecret(macKey, clientId, secret) });
  }

  /** A third secret retires the oldest. Undefined if the client is unknown or disabled. */
  async function addSecret(tx: Tx, clientId: string): Promise<ClientCredentials | undefined> {
    const client = await sql.findClientForUpdate(tx, clientId);
    if (client === undefined || client.isDisabled) return undefined;
    const clientSecret = generateClientSecret();
    await addGivenSecret(tx, clientId, clientSecret);
    return { clientId, clientSecret };
  }

  return {
    async create(tx: Tx, kind: ClientKind, name: string | null): Promise<ClientCredentials> {
      const clientId = generateClientId(kind.role);
      const clientSecret = generateClientSecret();
      await sql.insertClient(tx, { id: clientId, ...kind, name });
      await addGivenSecret(tx, clientId, clientSecret);
      return { clientId, clientSecret };
    },

    addSecret,

    /** Returns the name of the secret in its tokens. */
    nameSecret: ({ clientId, clientSecret }: ClientCredentials) =>
      toSecretId(hashClientSecret(macKey, clientId, clientSecret)),

    /** Old secrets work until `validUntilMicros`. Undefined if the client is unknown or disabled. */
    async rotateSecret(tx: Tx, clientId: string, overlapHours: number) {
      const validUntilMicros = await sql.expireSecrets(tx, clientId, overlapHours);
      const added = await addSecret(tx, clientId);
      return added && { ...added, validUntilMicros };
    },

    /** Adds a second secret only if `isSecretNeeded`. Throws for a client of another kind. */
    async ensure(
      tx: Tx,
      kind: ClientKind,
      { clientId, clientSecret, name, isSecretNeeded }: EnsuredClient,
    ): Promise<{ hasChanged: boolean; isLive: boolean }> {
      const isNew = await sql.insertClient(tx, { id: clientId, ...kind, name });
      const client = await sql.findClientForUpdate(tx, clientId);
      if (client?.role !== kind.role || client.accountId !== kind.accountId) {
        throw new Error(
          `the client id ${clientId} already belongs to a different client; configure another id`,
        );
      }
      const liveMacs = await sql.listLiveSecretMacs(tx, clientId);
      const hasSecret = matchesLiveSecret(hashClientSecret(macKey, clientId, clientSecret), liveMacs);
      const isAdded = !hasSecret && (liveMacs.length === 0 || isSecretNeeded);
      if (isAdded) await addGivenSecret(tx, clientId, clientSecret);
      return { hasChanged: isNew || isAdded, isLive: hasSecret || isAdded };
    },

    disable: (tx: Tx, clientId: string) => sql.updateClientDisabled(tx, clientId, true),
    enable: (tx: Tx, clientId: string) => sql.updateClientDisabled(tx, clientId, false),
    change: sql.updateClientSettings,

    /** Undefined for an invalid secret or client. The time does not depend on the stored secrets. */
    async verifySecret(
      find: FindClient,
      { clientId, clientSecret, spellings = [clientSecret] }: ClaimedCredentials,
    ) {
      // PostgreSQL rejects text that contains NUL.
      if (clientId.includes('\0')) return undefined;
      const macs = spellings.map((secret) => hashClientSecret(macKey, clientId, secret));
      const claimed = await find(clientId);
      const [mac] = macs.filter((one) => matchesLiveSecret(one, claimed?.liveMacs ?? []));
      if (claimed?.mayHaveTokens !== true || mac === undefined) return undefined;
      return {
        holder: toHolder(claimed),
        secretId: toSecretId(mac),
        allowed: toAddressSet(claimed.allowedAddresses),
      };
    },
  };
}

/** Contains 96 random bits. */
export function generateClientId(role: sql.ClientRole): string {
  return `${role}_${randomBytes(12).toString('hex')}`;
}

function toHolder({ id, role, accountId }: sql.ClientRow): TokenHolder {
  return role === 'operator'
    ? { role, clientId: id }
    : { role, clientId: id, accountId: must(accountId, 'the account of a reseller') };
}
