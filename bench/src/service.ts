/** The measured service runs in its own process, without the demo, with the operator of the load tests. */
import { OPERATOR } from '@keyport/proof/load/operator';
import { type Child, startChild } from './processes.ts';

/** A PostgreSQL server, or the folder of the embedded engine (`memory` keeps nothing). */
export type Place = { readonly databaseUrl: string } | { readonly dataDir: string };

export function startService(place: Place, settings: Readonly<Record<string, string>> = {}): Promise<Child> {
  return startChild('./serve.ts', {
    env: {
      KEYPORT_PORT: '0',
      KEYPORT_DEMO: 'false',
      KEYPORT_LOG_LEVEL: 'warn',
      KEYPORT_OPERATOR_ID: OPERATOR.client_id,
      KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
      ...('databaseUrl' in place
        ? { KEYPORT_DATABASE_URL: place.databaseUrl, KEYPORT_DATA_DIR: 'memory' }
        : { KEYPORT_DATA_DIR: place.dataDir }),
      ...settings,
    },
  });
}
