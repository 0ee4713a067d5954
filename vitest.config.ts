/**
 * The projects of the tests.
 * `npm test` runs `checks`; `unit`, which needs no database; and `postgres`, which covers every operation and the units that
 * use a database. PostgreSQL starts a test's database in a third of the time that the embedded engine needs.
 * `npm run test:all` runs `embedded`, the same on the embedded engine; `scenario` and `scenario-postgres`, whole stories and
 * slow tests; `postgres-15` and others, a selection on each older version that is installed; and `proof`, the
 * simulation and each fault once.
 */
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TestReport } from './scripts/test-report.ts';

const DATABASE = '**/*.db.test.ts';
const CHECKS = [
  'scripts/checks.test.ts',
  'packages/cli/test/documents.test.ts',
  'packages/server/test/documents/citations.test.ts',
];
/** They start processes or wait for time to pass. */
const SLOW = [
  'packages/cli/test/**/!(documents).test.ts',
  'packages/console/test/*.db.test.ts',
  'packages/sdk/test/{node.db,package,reference,sandbox.db,survival.db}.test.ts',
  'packages/server/test/monitoring/**/*.test.ts',
  'packages/server/test/scenario/*.test.ts',
  'packages/server/test/documents/{*.db,deploy,first-change}.test.ts',
  'packages/server/test/{reference,reference-tryout.db}.test.ts',
  'packages/server/test/transport/slow-and-closing.test.ts',
  'packages/server/src/db/engines/embedded.test.ts',
  'packages/http/src/logging/log-destination.test.ts',
];
/** Each takes as long as a hundred others: properties, retries, and whole catalogues. */
const LONG = [
  'packages/sdk/test/retries.db.test.ts',
  'packages/server/src/{catalogue/feed,demo/*,verify/periodic}.db.test.ts',
  'packages/server/src/{access/clients/bootstrap,access/tokens/signing-keys,custody/rotation}.db.test.ts',
  'packages/server/test/api/{list-events,list-product-changes}/200-{keys-expiring,wait}.db.test.ts',
  'packages/server/test/api/operator/{sign-in-flood,verify}.db.test.ts',
  'packages/server/test/api/returns/race.db.test.ts',
  'packages/server/test/api/sandbox/checkup*.db.test.ts',
  'packages/server/test/api/webhook-endpoints/deliveries.db.test.ts',
  'packages/server/test/verify/catalogue-invariant.db.test.ts',
];
/** Long tests for which the engine makes a difference. */
const LONG_ON_BOTH = [
  'packages/server/src/db/migrations/migrate.db.test.ts',
  'packages/server/test/{row-types,upgrade/upgrade,verify/invariants}.db.test.ts',
];
/** They run on PostgreSQL only, two of them in `npm test`. */
const TWO_NODES = 'packages/server/test/scenario/two-nodes/!(conditional|stock).db.test.ts';

/** They run on one engine, since the engine makes no difference to them. */
const ONE_ENGINE = [
  'packages/{console,sdk}/**/*.test.ts',
  'packages/server/test/{documents,monitoring,transport}/**/*.test.ts',
  'packages/server/test/reference-tryout.db.test.ts',
];

/** They also run on the oldest supported versions of PostgreSQL. */
const VERSIONS = [
  'packages/server/src/db/**/*.db.test.ts',
  'packages/server/test/{upgrade,verify,api/create-order}/*.db.test.ts',
];

const onEmbedded = {
  globalSetup: 'packages/server/test/support/embedded-setup.ts',
  env: { KEYPORT_TEST_ENGINE: 'embedded' },
};
const onPostgres = {
  globalSetup: 'packages/server/test/support/postgres-setup.ts',
  env: { KEYPORT_TEST_ENGINE: 'postgres' },
};

// Kept between runs, for the workers and for the processes that tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'keyport-compile-cache');

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    reporters: ['default', new TestReport()],
    // Shows the logs of the service under test for failed tests only.
    silent: 'passed-only',
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    setupFiles: 'packages/server/test/support/vitest-setup.ts',
    env: { TZ: 'UTC' },
    // Node runs the sources as production does, and caches what it compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      { extends: true, test: { name: 'checks', include: CHECKS } },
      {
        extends: true,
        test: { name: 'unit', include: ['packages/**/*.test.ts'], exclude: [DATABASE, ...CHECKS, ...SLOW] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [`packages/${DATABASE}`],
          exclude: [...SLOW, ...LONG, ...LONG_ON_BOTH, TWO_NODES],
          ...onPostgres,
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [`packages/${DATABASE}`],
          exclude: [...SLOW, ...LONG, ...ONE_ENGINE, 'packages/server/test/scenario/two-nodes/*.test.ts'],
          ...onEmbedded,
        },
      },
      { extends: true, test: { name: 'scenario', include: SLOW, ...onEmbedded } },
      {
        extends: true,
        test: {
          name: 'scenario-postgres',
          include: [
            'packages/{cli/test,server/test/scenario}/*.db.test.ts',
            TWO_NODES,
            ...LONG,
            ...LONG_ON_BOTH,
            'proof/hostile/*.test.ts',
          ],
          ...onPostgres,
        },
      },
      ...globSync('/usr/lib/postgresql/{15,16,17}/bin').map((programs) => ({
        extends: true as const,
        test: {
          name: `postgres-${programs.split('/').at(-2)}`,
          include: VERSIONS,
          ...onPostgres,
          env: { ...onPostgres.env, KEYPORT_TEST_POSTGRES_BIN: programs },
        },
      })),
      {
        extends: true,
        test: {
          name: 'proof',
          include: ['proof/**/*.test.ts'],
          exclude: ['proof/hostile/!(fuzz).db.test.ts'],
          // Their tests start and end processes dozens of times.
          testTimeout: 900_000,
          hookTimeout: 900_000,
          ...onEmbedded,
        },
      },
    ],
  },
});
