/**
 * The projects of the tests.
 * `npm test` runs `checks`; `unit`, which needs no database; and `postgres`, which covers every operation and the units that
 * use a database.
 * `npm run test:all` runs `proof`, the simulation and each fault; `scenario`, whole stories and slow tests; `embedded`, files for
 * which the engine makes a difference; and `postgres-15` and others, a selection on each older version that is installed.
 */
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TestReport } from './scripts/test-report.ts';

const DATABASE = '**/*.db.test.ts';
const CHECKS = [
  'scripts/checks.test.ts',
  'packages/cli/test/documents.test.ts',
  'packages/server/test/documents/citations.test.ts',
];
/** They start processes or wait for time to pass. */
const SLOW = [
  'packages/cli/test/**/!(documents|service.db).test.ts',
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
  'packages/server/src/{catalogue/feed,db/migrations/migrate,demo/*,verify/periodic}.db.test.ts',
  'packages/server/src/{access/clients/bootstrap,access/tokens/signing-keys,custody/rotation}.db.test.ts',
  'packages/server/test/api/{list-events,list-product-changes}/200-{keys-expiring,wait}.db.test.ts',
  'packages/server/test/api/operator/{sign-in-flood,verify}.db.test.ts',
  'packages/server/test/api/returns/race.db.test.ts',
  'packages/server/test/api/sandbox/checkup*.db.test.ts',
  'packages/server/test/api/webhook-endpoints/deliveries.db.test.ts',
  'packages/server/test/verify/{catalogue-invariant,invariants}.db.test.ts',
  'packages/server/test/row-types.db.test.ts',
];
/** They run on PostgreSQL only, two of them in `npm test`. */
const TWO_NODES = 'packages/server/test/scenario/two-nodes/!(conditional|stock).db.test.ts';

/** They depend on SQL alone: `row-types` describes every statement. They also run on the oldest supported versions. */
const STATEMENTS = [
  'packages/server/src/db/**/*.db.test.ts',
  'packages/server/test/row-types.db.test.ts',
  'packages/server/test/api/create-order/{200-replay,201,402,409}.db.test.ts',
];
/**
 * Statements, locks, and each kind of write; commands and crashes of a service with its own database. The other files test HTTP,
 * validation and formats, to which the engine makes no difference.
 */
const EMBEDDED = [
  ...STATEMENTS,
  'packages/server/src/{accounts,audit,events,imports,ledger,listings,stock,webhooks}/**/*.db.test.ts',
  'packages/server/test/api/{claims/*,reservations/*,returns/returns}.db.test.ts',
  'packages/server/test/api/order-actions/{200,replace-key}.db.test.ts',
  'packages/server/test/api/operator/{idempotency,import-runs,import-undo,offer-changes}.db.test.ts',
  'packages/server/test/api/{own-clients,sandbox/operations,webhook-endpoints/{change,create}}.db.test.ts',
  'packages/server/test/scenario/{concurrency,first-start,kill,payment-kill}.db.test.ts',
  'packages/cli/test/{master-key,nothing-in-clear,service}.db.test.ts',
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

/** Projects with the longest files start first, so that no worker idles at the end. */
const LONGEST_FIRST = ['checks', 'proof', 'scenario'];

class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inOrder = await super.sort(files);
    const place = ({ project }: TestSpecification) => LONGEST_FIRST.toReversed().indexOf(project.name);
    return inOrder.toSorted((one, other) => place(other) - place(one));
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export.
export default defineConfig({
  test: {
    reporters: ['default', new TestReport()],
    // Shows the logs of the service under test for failed tests only.
    silent: 'passed-only',
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: ProjectSequencer },
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
          exclude: [...SLOW, ...LONG, TWO_NODES],
          ...onPostgres,
        },
      },
      { extends: true, test: { name: 'scenario', include: [...SLOW, ...LONG, TWO_NODES], ...onPostgres } },
      { extends: true, test: { name: 'embedded', include: EMBEDDED, ...onEmbedded } },
      ...globSync('/usr/lib/postgresql/{15,16,17}/bin').map((programs) => ({
        extends: true as const,
        test: {
          name: `postgres-${programs.split('/').at(-2)}`,
          include: STATEMENTS,
          ...onPostgres,
          env: { ...onPostgres.env, KEYPORT_TEST_POSTGRES_BIN: programs },
        },
      })),
      {
        extends: true,
        test: {
          name: 'proof',
          include: ['proof/**/*.test.ts'],
          // Their tests start and end processes dozens of times.
          testTimeout: 900_000,
          hookTimeout: 900_000,
          ...onPostgres,
        },
      },
    ],
  },
});
