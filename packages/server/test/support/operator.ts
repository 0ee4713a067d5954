/** Calls the operator's handlers without HTTP, but checks body and response against the contract. */
import { deepEqual, ok } from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PageMeta } from '@keyport/contract/envelope';
import { OPERATIONS, type OperationName, type ResponseMember } from '@keyport/contract/operations';
import { readUpload } from '@keyport/http/validation/uploads';
import { compileCheck } from '@keyport/http/validation/validation';
import { createClients } from '../../src/access/clients/clients.ts';
import { buildAccountHandlers } from '../../src/accounts/accounts.routes.ts';
import { accountsList } from '../../src/accounts/accounts.sql.ts';
import { buildClientHandlers } from '../../src/accounts/clients.routes.ts';
import { buildAuditHandlers } from '../../src/audit/audit.routes.ts';
import type { Database } from '../../src/db/engines/database.ts';
import { runTransaction } from '../../src/db/transaction.ts';
import { buildImportHandlers } from '../../src/imports/imports.routes.ts';
import { buildBookingHandlers } from '../../src/ledger/bookings.routes.ts';
import { buildStatementHandlers } from '../../src/ledger/statement.routes.ts';
import { buildListingHandlers } from '../../src/listings/listings.routes.ts';
import type { OperationReply, OperationRequest, WriteWork, Written } from '../../src/operations/operation.ts';
import { insertSealedKeys } from '../../src/stock/product-keys.sql.ts';
import { createCustody } from '../../src/stock/product-keys.ts';
import { testMasterKeys } from './master-keys.ts';

type Handlers = ReturnType<typeof buildHandlers>['handlers'];

type OperatorReply<Name extends OperationName> = {
  readonly status: number;
  readonly data: ResponseMember<Name, 'data'>;
  readonly meta: PageMeta | undefined;
};

export type Operator = {
  call<Name extends keyof Handlers & OperationName>(
    name: Name,
    parts?: Partial<Pick<OperationRequest<Name>, 'params' | 'query' | 'body' | 'stream'>>,
  ): Promise<OperatorReply<Name>>;
  readonly notifications: string[];
  readonly clientId: string;
};

export function operatorOn(database: Database): Operator {
  const { handlers, notifications } = buildHandlers(database);
  const clientId = `operator_${randomUUID()}`;
  return {
    notifications,
    clientId,
    async call(name, parts = {}) {
      const operation = OPERATIONS[name];
      if ('body' in operation) deepEqual(compileCheck(operation.body, 'body')(parts.body), []);
      const request = {
        params: {},
        query: {},
        headers: {},
        body: {},
        stream: undefined,
        ...parts,
        principal: { role: 'operator', clientId, operatorRole: 'admin' },
        traceId: randomBytes(16).toString('hex'),
      };
      const handle = handlers[name] as (
        request: unknown,
      ) => OperationReply | Promise<OperationReply> | WriteWork;
      const handled = handle(request);
      const reply = typeof handled === 'function' ? await carryOut(database, handled) : await handled;
      const { status, data, meta, summary } = {
        data: undefined,
        meta: undefined,
        summary: undefined,
        ...reply,
      };
      const schema = new Map(Object.entries(operation.responses)).get(String(status));
      ok(schema !== undefined, `${name} does not promise the status ${status}`);
      const body = {
        data,
        ...(meta === undefined ? {} : { meta }),
        ...(summary === undefined ? {} : { summary }),
      };
      if (schema !== null) deepEqual(compileCheck(schema, 'response')(structuredClone(body)), []);
      return { status, data, meta, summary } as OperatorReply<typeof name>;
    },
  };
}

export function streamOf(
  text: string | Buffer,
  contentType = 'application/x-ndjson',
  pieceSizeBytes = 7_000,
) {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSizeBytes) }, (_, index) =>
    bytes.subarray(index * pieceSizeBytes, (index + 1) * pieceSizeBytes),
  );
  return { contentType, body: readUpload(Readable.from(pieces, { objectMode: false })) };
}

async function carryOut(database: Database, work: WriteWork): Promise<Written> {
  const written = await runTransaction(database, {}, work);
  await written.onCommitted?.();
  return written;
}

function buildHandlers(database: Database) {
  const notifications: string[] = [];
  const secret = () => createSecretKey(randomBytes(32));
  const custody = createCustody({ masterKeys: testMasterKeys(), codeMacKey: secret(), nowMs: Date.now });
  const stock = { ...custody, insertSealedKeys };
  const onCatalogueChanged = () => void notifications.push('catalogue');
  const onError = (error: unknown) => void notifications.push(`error ${error}`);
  const onAccountChanged = (id: string) => void notifications.push(`account ${id}`);
  const onClientChanged = async (id: string) => void notifications.push(`client ${id}`);
  const handlers = {
    ...buildAccountHandlers(database, onAccountChanged),
    ...buildBookingHandlers({ onAccountChanged }),
    ...buildStatementHandlers({ database, accountsList }),
    ...buildClientHandlers(database, createClients(secret()), onClientChanged),
    ...buildListingHandlers({
      database,
      stock,
      onCatalogueChanged,
      publicUrl: () => '',
      lowStockUnits: 10,
    }),
    ...buildImportHandlers({
      database,
      stock,
      onCatalogueChanged,
      onError,
      removalLimits: { countMax: 50, percentMax: 20 },
    }),
    ...buildAuditHandlers(database, secret()),
  };
  return { handlers, notifications };
}
