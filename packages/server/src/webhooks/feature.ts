/** Webhooks: endpoints of accounts, and the deliveries of events to them. */
import type { Mode } from '../config.ts';
import type { MasterKeys } from '../custody/master-keys.ts';
import type { Database } from '../db/database.ts';
import { buildEndpointHandlers } from './endpoints.routes.ts';

export type WebhooksOptions = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly mode: Mode;
};

export function openWebhooks({ database, masterKeys, mode }: WebhooksOptions) {
  const targetRules = { allowsLocal: mode === 'sandbox' };
  return {
    handlers: buildEndpointHandlers({ database, masterKeys, targetRules, onEndpointChanged() {} }),
  };
}
