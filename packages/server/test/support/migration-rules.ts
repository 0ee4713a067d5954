/** The rules of CONTRIBUTING.md for a migration while the previous version runs and places orders. */

/** These tables never have more than a handful of rows, so no change takes long. */
const SMALL_TABLES = new Set([
  'audit_head',
  'installation',
  'master_key_holder',
  'service_secret',
  'signing_key',
  'stream_position',
  'verify_schedule',
]);

/** The comment of a statement that removes what the previous version no longer uses. */
const UNUSED = /\/\* unused since [0-9]{4}-[a-z-]+ \*\//;

const OF_A_TABLE: readonly [pattern: RegExp, problem: string][] = [
  [/ADD COLUMN[^,]*NOT NULL(?![^,]*DEFAULT)/i, 'a column that is NOT NULL needs a DEFAULT'],
  [/ADD COLUMN[^,]*DEFAULT[^,]*\(/i, 'a DEFAULT that is computed for each row rewrites the table'],
  [/ADD COLUMN[^,]*GENERATED/i, 'a generated column rewrites the table'],
  [/ADD COLUMN[^,]*(UNIQUE|PRIMARY KEY|REFERENCES|CHECK)/i, 'add the constraint separately, as NOT VALID'],
  [/ALTER COLUMN \S+ (SET DATA )?TYPE/i, 'changing the type rewrites the table'],
  [/SET NOT NULL/i, 'SET NOT NULL reads the whole table under a lock'],
  [/ADD (CONSTRAINT \S+ )?(CHECK|FOREIGN KEY)(?![\s\S]*NOT VALID)/i, 'add the constraint as NOT VALID'],
  [/ADD (CONSTRAINT \S+ )?(UNIQUE|PRIMARY KEY)(?! USING INDEX)/i, 'build the index CONCURRENTLY first'],
  [/VALIDATE CONSTRAINT/i, 'validate in a separate migration, without a transaction'],
];

const REMOVES = /^\s*(?:DROP TABLE|ALTER TABLE[\s\S]*(?:DROP COLUMN|RENAME))/i;
const MANY_ROWS =
  /^\s*(?:WITH\b[\s\S]*)?(?:UPDATE (?:ONLY )?|DELETE FROM |INSERT INTO [\s\S]*\bFROM )("?\w+"?)/i;
const HEAVY = /^\s*(?:LOCK|CLUSTER|REINDEX|TRUNCATE|VACUUM)\b/i;

/** Returns one sentence per violation. */
export function findProblems(statements: readonly string[], isInTransaction = true): string[] {
  const isOwn = (table: string) =>
    SMALL_TABLES.has(table) || statements.some((text) => createdTable(text) === table);
  const problems = statements.flatMap((text) => problemsOfStatement(text, isOwn, isInTransaction));
  if (!isInTransaction && statements.length !== 1) problems.push('without a transaction: one statement only');
  return problems;
}

function problemsOfStatement(
  text: string,
  isOwn: (table: string) => boolean,
  isInTransaction: boolean,
): string[] {
  const fail = (problem: string) => [`${problem}: ${text.trim().slice(0, 100)}`];
  if (HEAVY.test(text)) return fail('nothing may hold up a whole table');
  if (REMOVES.test(text) && !UNUSED.test(text)) {
    return fail(
      'the previous version may use it: remove it one version later, with the comment /* unused since … */',
    );
  }
  const index = /^\s*CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?[\s\S]*?\bON (?:ONLY )?("?\w+"?)/i.exec(text);
  if (index !== null && index[1] === undefined && !isOwn(bare(index[2])))
    return fail('build it CONCURRENTLY');
  const written = bare(MANY_ROWS.exec(text)?.[1]);
  if (written !== '' && !isOwn(written)) return fail('change many rows in batches, from a worker');
  const table = bare(/^\s*ALTER TABLE (?:ONLY )?("?\w+"?)/i.exec(text)?.[1]);
  if (table === '' || isOwn(table)) return [];
  if (!isInTransaction && /VALIDATE CONSTRAINT/i.test(text)) return [];
  return OF_A_TABLE.filter(([pattern]) => pattern.test(text)).flatMap(([, problem]) => fail(problem));
}

function createdTable(text: string): string {
  return bare(/^\s*CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?("?\w+"?)/i.exec(text)?.[1]);
}

function bare(name: string | undefined): string {
  return (name ?? '').replaceAll('"', '');
}
