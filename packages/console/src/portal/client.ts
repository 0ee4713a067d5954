/** Starts the client of members: the operations of resellers, by their names. */
import {
  RESELLER_OPERATIONS,
  type ResellerOperations,
} from '@keyport/sdk-source/generated/reseller-operations';
import { OperationsClient } from '@keyport/sdk-source/operations';
import { startClients } from '../api/queries.ts';

startClients<ResellerOperations, OperationsClient<ResellerOperations>>(
  (options) => new OperationsClient(options, RESELLER_OPERATIONS),
);
