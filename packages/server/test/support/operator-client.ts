import type { Database } from '../../src/db/engines/database.ts';
import { sql } from '../../src/db/sql.ts';

/** The token of a different operator with this role, who may approve the tests' requests (A500). */
export async function operatorClient(
  h: {
    operate(method: string, path: string, body: object): Promise<{ clientId: string; clientSecret: string }>;
    tokenFor(clientId: string, clientSecret: string): Promise<string>;
    service: { readonly database: Database };
  },
  operatorRole = 'admin',
): Promise<string> {
  const { clientId, clientSecret } = await h.operate('POST', '/clients', { name: 'Robot', operatorRole });
  await sql`DELETE FROM credential_holder WHERE id = ${clientId}`.execute(h.service.database.db);
  return h.tokenFor(clientId, clientSecret);
}
