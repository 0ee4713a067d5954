/**
 * The tests, as projects: `unit` needs no database, `embedded` and `postgres` run the tests of databases and of the whole
 * service on either engine, `smoke` is the part of `postgres` that `npm test` runs, `faults` brings faults about.
 */
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const DATABASE_TESTS = 'packages/*/{src,test}/**/*.pg.test.ts';
const FAULTS = 'packages/server/test/faults/**';

/** On a server: transactions, placement, two nodes. */
const SMOKE = [
  'packages/server/src/db/*.pg.test.ts',
  'packages/server/test/api/create-order/*.pg.test.ts',
  'packages/server/test/scenario/two-nodes/{orders,conditional}.pg.test.ts',
];

function project(name: string, test: TestProjectConfiguration & object): TestProjectConfiguration {
  return { extends: true, test: { name, ...test } };
}

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: 'packages/server/test/support/vitest-setup.ts',
    env: { TZ: 'UTC' },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      project('unit', { include: ['packages/*/{src,test}/**/*.test.ts'], exclude: [DATABASE_TESTS, FAULTS] }),
      project('embedded', {
        include: [DATABASE_TESTS],
        exclude: [FAULTS],
        globalSetup: 'packages/server/test/support/embedded-setup.ts',
        env: { KEYPORT_TEST_ENGINE: 'embedded' },
      }),
      project('postgres', {
        include: [DATABASE_TESTS],
        exclude: [FAULTS],
        globalSetup: 'packages/server/test/support/postgres-setup.ts',
        env: { KEYPORT_TEST_ENGINE: 'postgres' },
      }),
    ],
  },
});
