/** The operators' client. */
import { KeyportAdmin, type OperatorOperations } from '@keyport/sdk-source/admin';
import { startClients, useRead } from './queries.ts';

export const admin = startClients<OperatorOperations, KeyportAdmin>((options) => new KeyportAdmin(options));

export function useAttention(everyMs: number) {
  return useRead('getAttention', {}, { everyMs });
}
