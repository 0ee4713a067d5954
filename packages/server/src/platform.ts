import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { MasterKeys } from './custody/master-keys.ts';
import type { DatabaseClock } from './db/clock.ts';
import type { Database } from './db/engines/database.ts';
import type { Tracer } from './in-span.ts';
import type { Metrics } from './metrics/metrics.ts';

export type Platform = {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly masterKeys: MasterKeys;
  readonly secrets: {
    readonly codeMac: KeyObject;
    readonly clientSecretMac: KeyObject;
    readonly auditMac: KeyObject;
  };
  readonly tracer: Tracer;
  readonly metrics: Metrics | undefined;
  /** Known once the port is known. */
  readonly publicUrl: () => string;
  readonly version: string;
  /** The number of nodes that run, of which each enforces its share of a limit. A63. */
  readonly nodeCount: () => number;
};
