import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { findProblems } from '../../../test/support/migration-rules.ts';
import released from '../../../test/support/released-migrations.json' with { type: 'json' };
import { computeHashes, MIGRATIONS, parseMigration } from './migrate.ts';

const [newest] = /^## .*$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? fail();
const isReleasing = !newest.endsWith('(unreleased)');

test('a released migration never changes, and comes before unreleased migrations', () => {
  const hashes = Object.entries(computeHashes(MIGRATIONS));
  const expected = hashes.slice(0, isReleasing ? undefined : Object.keys(released).length);
  deepEqual(Object.entries(released), expected);
});

for (const [name, { statements, isInTransaction }] of Object.entries(MIGRATIONS)) {
  test(`migration ${name} is safe while orders are placed`, () => {
    ok(statements.length > 0);
    deepEqual(findProblems(statements, isInTransaction), []);
  });
}

test('a migration is split into statements, but not inside function bodies', () => {
  const body =
    'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\n    BEGIN\n      PERFORM 1;\n    END $$';
  const text = `-- A comment; with a semicolon.\n\n${body};\n-- Another.\nSELECT 1;\nSELECT\n  2;\n`;
  deepEqual(parseMigration(text), { statements: [body, 'SELECT 1', 'SELECT\n  2'], isInTransaction: true });
  equal(parseMigration(`-- Outside a transaction\n${text}`).isInTransaction, false);
});

test('finds unsafe migrations', () => {
  const rows: [statement: string, problem: RegExp][] = [
    ['ALTER TABLE "order" ADD COLUMN a text NOT NULL', /needs a DEFAULT/],
    ['ALTER TABLE offer ADD COLUMN a timestamptz DEFAULT clock_timestamp()', /rewrites/],
    ['ALTER TABLE offer ADD COLUMN a int GENERATED ALWAYS AS (1) STORED', /generated/],
    ['ALTER TABLE offer ADD COLUMN a int REFERENCES product', /NOT VALID/],
    ['ALTER TABLE offer ALTER COLUMN price_minor TYPE numeric', /changing the type/],
    ['ALTER TABLE product_stamp ALTER COLUMN first_stamp SET NOT NULL', /reads the whole table/],
    ['ALTER TABLE offer ADD CONSTRAINT offer_x_ck CHECK (price_minor > 0)', /NOT VALID/],
    ['ALTER TABLE offer ADD CONSTRAINT offer_x_uq UNIQUE (price_minor)', /CONCURRENTLY/],
    ['ALTER TABLE offer VALIDATE CONSTRAINT offer_x_ck', /separate/],
    ['ALTER TABLE offer DROP COLUMN price_minor', /previous version/],
    ['ALTER TABLE offer RENAME COLUMN price_minor TO price', /previous version/],
    ['DROP TABLE offer_log', /previous version/],
    ['CREATE INDEX a_ix ON "order" (status)', /CONCURRENTLY/],
    ['CREATE UNIQUE INDEX a_uq ON stock_key (code_mac)', /CONCURRENTLY/],
    ['UPDATE "order" SET status = status', /in batches/],
    ['DELETE FROM stock_key', /in batches/],
    ['LOCK TABLE "order"', /whole table/],
  ];
  for (const [statement, problem] of rows) {
    match(findProblems([statement]).join('\n'), problem, statement);
  }
  match(findProblems(['SELECT 1', 'SELECT 2'], false).join('\n'), /one statement only/);
});

test('accepts safe migrations', () => {
  const rows: [statements: string[], isInTransaction?: false][] = [
    [['ALTER TABLE "order" ADD COLUMN a text']],
    [["ALTER TABLE account ADD COLUMN a text NOT NULL DEFAULT 'x', ADD COLUMN b int NOT NULL DEFAULT 0"]],
    [['CREATE TABLE a (b int CHECK (b > 0))', 'CREATE INDEX a_ix ON a (b)', 'INSERT INTO a SELECT 1 FROM a']],
    [['ALTER TABLE offer ADD CONSTRAINT offer_x_ck CHECK (price_minor > 0) NOT VALID']],
    [['ALTER TABLE offer VALIDATE CONSTRAINT offer_x_ck'], false],
    [['CREATE INDEX CONCURRENTLY a_ix ON "order" (status)'], false],
    [['ALTER TABLE installation ADD COLUMN a uuid NOT NULL DEFAULT gen_random_uuid()']],
    [['ALTER TABLE offer DROP COLUMN old /* unused since 0003-new-column */']],
  ];
  for (const [statements, isInTransaction] of rows) {
    deepEqual(findProblems(statements, isInTransaction), [], statements.join('; '));
  }
});
