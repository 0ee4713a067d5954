import type { Platform } from '../platform.ts';
import { insertSealedKeys } from './product-keys.sql.ts';
import { createCustody } from './product-keys.ts';
import { buildWithdrawKeysHandlers } from './withdraw-keys.routes.ts';

export type Stock = ReturnType<typeof openStock>;

export function openStock({ masterKeys, secrets }: Platform, onCatalogueChanged: () => void) {
  const custody = createCustody({ masterKeys, codeMacKey: secrets.codeMac, nowMs: () => Date.now() });
  return {
    ...custody,
    insertSealedKeys,
    handlers: buildWithdrawKeysHandlers({ codeMacs: custody.codeMacs, onCatalogueChanged }),
  };
}
