/**
 * The projects of the tests.
 * `npm test` runs `unit`, which needs no database, and `postgres`, which covers every operation and the units that use a
 * database. `npm run check` runs `checks`: types, lint and whether the documents are up to date.
 * `npm run test:all` runs `scenario`, whole stories and slow tests; `embedded`, the files for which the engine makes a difference;
 * `oldest`, every statement on PostgreSQL 15, if it is installed;
 * and `proof`: one kill, one file of cuts, one seed of the simulation and the hostile requests.
 * `npm run test:nightly` runs `nightly`, the other faults, seeds and long stories; and `nightly-embedded`, more files on the
 * embedded engine.
 */
import { existsSync } from 'node:fs';
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
  'packages/cli/test/**/!(documents).test.ts',
  'packages/console/test/*.db.test.ts',
  'packages/sdk/test/{node.db,package,php*.db,reference,sandbox.db,survival.db}.test.ts',
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
  'packages/sdk/test/{clients,feeds,keyport,retries}.db.test.ts',
  'packages/server/src/{catalogue/feed,db/migrations/migrate,demo/*,verify/periodic}.db.test.ts',
  'packages/server/src/{access/clients/bootstrap,access/tokens/*,custody/*}.db.test.ts',
  'packages/server/src/{db/engines/session-settings,ledger/books-append-only}.db.test.ts',
  'packages/server/test/api/{list-events,list-product-changes}/200-{keys-expiring,wait}.db.test.ts',
  'packages/server/test/api/{date-time-limits,own-clients}.db.test.ts',
  'packages/server/test/api/operator/{import-lists,import-removals,list-csv,passwords,payments}.db.test.ts',
  'packages/server/test/api/operator/{reset-credentials,roles,search,sign-in-flood,verify}.db.test.ts',
  'packages/server/test/api/returns/race.db.test.ts',
  'packages/server/test/api/sandbox/{checkup*,forced-errors,rate-limits}.db.test.ts',
  'packages/server/test/api/webhook-endpoints/{429,deliveries,https}.db.test.ts',
  'packages/server/test/verify/{catalogue-invariant,invariants}.db.test.ts',
];
/** Tests of two nodes run on PostgreSQL only; `npm test` includes one of them. */
const TWO_NODES = 'packages/server/test/scenario/two-nodes/!(conditional).db.test.ts';
/** `npm test` covers their operations in shorter files. */
const STORIES = ['packages/server/test/api/operator/{approvals,approvers,notifications,oidc}.db.test.ts'];

/** Describes every statement. It runs on the embedded engine, on the oldest PostgreSQL and, each night, on the bundled one. */
const ROW_TYPES = 'packages/server/test/row-types.db.test.ts';
/** The other files are about orders and the engine itself. */
const STATEMENTS = [
  'packages/server/src/db/**/*.db.test.ts',
  ROW_TYPES,
  'packages/server/test/api/create-order/{200-replay,201,402,409}.db.test.ts',
];
/** On the oldest supported version: every statement, starts, the system's state, all invariants, and a lack of memory or space. */
const OLDEST_PROGRAMS = '/usr/lib/postgresql/15/bin';
const ON_OLDEST = [
  ROW_TYPES,
  'packages/server/test/api/operator/{system,verify}.db.test.ts',
  'packages/server/test/scenario/database-failures.db.test.ts',
];
/**
 * The embedded engine runs statements, the first start, a kill, the command, and one file of each feature that writes. The
 * engine makes no difference to the tests of HTTP, validation and formats.
 */
const EMBEDDED = [
  ...STATEMENTS,
  'packages/server/src/{audit/chain,events/events,ledger/books-append-only,stock/product-keys}.db.test.ts',
  'packages/server/src/webhooks/delivery/deliveries.db.test.ts',
  'packages/server/test/api/{claims/operator,order-actions/200,own-clients,reservations/create}.db.test.ts',
  'packages/server/test/api/{returns/returns,webhook-endpoints/create}.db.test.ts',
  'packages/server/test/api/operator/{idempotency,import-runs}.db.test.ts',
  'packages/server/test/scenario/{first-start,kill}.db.test.ts',
  'packages/cli/test/service.db.test.ts',
];
const MORE_EMBEDDED = [
  'packages/server/src/{accounts,audit,events,imports,ledger,listings,stock,webhooks}/**/*.db.test.ts',
  'packages/server/test/api/{claims/*,reservations/*}.db.test.ts',
  'packages/server/test/api/order-actions/replace-key.db.test.ts',
  'packages/server/test/api/operator/{import-undo,offer-changes}.db.test.ts',
  'packages/server/test/api/{sandbox/operations,webhook-endpoints/change}.db.test.ts',
  'packages/server/test/scenario/payment-kill.db.test.ts',
  'packages/cli/test/{master-key,nothing-in-clear}.db.test.ts',
];

const PROOF = [
  'proof/faults/nodes/kill-nodes.test.ts',
  'proof/faults/cuts/cut-first-orders.test.ts',
  'proof/hostile/*.test.ts',
  'proof/simulation/simulation.test.ts',
];
/** A shorter file of `npm run test:all` covers the common case of each of these. */
const NIGHTLY = [
  ROW_TYPES,
  'packages/cli/test/{checkup,embedded-failure,import,import-nginx,listen,retries}.test.ts',
  'packages/cli/test/{live-mode,master-key,nothing-in-clear,service,systemd}.db.test.ts',
  'packages/console/test/{catalogue,lists,orders,palette,screens}.db.test.ts',
  'packages/sdk/test/{node,php-survival,retries,survival}.db.test.ts',
  'packages/server/src/{catalogue/feed,verify/periodic}.db.test.ts',
  'packages/server/test/api/operator/sign-in-flood.db.test.ts',
  'packages/server/test/documents/{archive.db,clients.db,container.db,first-change}.test.ts',
  'packages/server/test/monitoring/{log-secrets,periodic-verify}.db.test.ts',
  'packages/server/test/reference-tryout.db.test.ts',
  'packages/server/test/scenario/{changed-collation,clock-skew,clock-steps,fairness,hang-up,kill}.db.test.ts',
  'packages/server/test/scenario/{history,no-connections,pgbouncer}.db.test.ts',
  'packages/server/test/scenario/payment-{bulkhead,kill,outages,stripe}.db.test.ts',
  'packages/server/test/scenario/{reservations,webhooks}-kill.db.test.ts',
  'packages/server/test/scenario/two-nodes/!(balance|conditional|stock|webhooks).db.test.ts',
];

/** Each night with every adapter, instead of one. */
const DEEPER = ['packages/server/test/scenario/payment-faults.db.test.ts'];

const onEmbedded = {
  globalSetup: 'packages/server/test/support/embedded-setup.ts',
  env: { KEYPORT_TEST_ENGINE: 'embedded' },
};
const onPostgres = {
  globalSetup: 'packages/server/test/support/postgres-setup.ts',
  env: { KEYPORT_TEST_ENGINE: 'postgres' },
};

const ofProof = {
  ...onPostgres,
  // Tests of faults start and end processes dozens of times.
  testTimeout: 900_000,
  hookTimeout: 900_000,
};

// Kept between runs, for the workers and for the processes that tests start.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'keyport-compile-cache');

/** Projects with the longest files start first, so that no worker idles at the end. */
const LONGEST_FIRST = ['checks', 'proof', 'scenario', 'nightly'];

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
          exclude: [...SLOW, ...LONG, ...STORIES, TWO_NODES, ROW_TYPES],
          ...onPostgres,
        },
      },
      {
        extends: true,
        test: {
          name: 'scenario',
          include: [...SLOW, ...LONG, ...STORIES, TWO_NODES],
          exclude: NIGHTLY,
          ...onPostgres,
        },
      },
      { extends: true, test: { name: 'embedded', include: EMBEDDED, ...onEmbedded } },
      {
        extends: true,
        test: {
          name: 'oldest',
          include: existsSync(OLDEST_PROGRAMS) ? ON_OLDEST : [],
          ...onPostgres,
          env: { ...onPostgres.env, KEYPORT_TEST_POSTGRES_BIN: OLDEST_PROGRAMS },
        },
      },
      { extends: true, test: { name: 'proof', include: PROOF, ...ofProof } },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: [...NIGHTLY, ...DEEPER, 'proof/**/*.test.ts'],
          exclude: PROOF.filter((path) => !path.includes('simulation')),
          ...ofProof,
          env: { ...onPostgres.env, KEYPORT_TEST_SEEDS: 'all' },
        },
      },
      {
        extends: true,
        test: { name: 'nightly-embedded', include: MORE_EMBEDDED, exclude: EMBEDDED, ...onEmbedded },
      },
    ],
  },
});
