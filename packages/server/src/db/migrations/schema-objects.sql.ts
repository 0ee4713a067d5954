/** One line per object, the same on every version of PostgreSQL. */

/** An invalid index and a disabled trigger differ from working ones. */
const OBJECTS = `
  SELECT 'table ' || relname || ' (replica identity ' || relreplident::text || ')' AS object FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migration'
  UNION ALL
  SELECT 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN attnotnull THEN ' not null' ELSE '' END
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migration'
  UNION ALL
  SELECT 'sequence ' || relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT CASE WHEN indisunique THEN 'unique ' ELSE '' END || 'index ' || owned.relname || ' of ' || pg_class.relname
      || CASE WHEN indisvalid AND indisready THEN '' ELSE ' (invalid)' END
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_class AS owned ON owned.oid = indexrelid
    WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relname <> 'schema_migration'
  UNION ALL
  SELECT 'constraint ' || conname || ' of ' || relname || ' (' || contype::text || ')'
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND contype IN ('f', 'c', 'x') AND relname <> 'schema_migration'
  UNION ALL
  SELECT 'trigger ' || tgname || ' of ' || relname || ' (' || proname || ', ' || tgtype::text || ', ' || tgenabled::text || ')'
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
  UNION ALL
  SELECT 'function ' || proname || ' (' || md5(prosrc) || ')' FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace`;

export const OBJECTS_ARRAY = `ARRAY(SELECT object FROM (${OBJECTS}) AS listed ORDER BY object COLLATE "C")`;

const EXPECTED = `unnest((SELECT objects FROM schema_migration ORDER BY name DESC LIMIT 1)) AS expected (object)`;

/** Objects that the last migration recorded. */
export const MISSING_OBJECTS = `SELECT object FROM ${EXPECTED} EXCEPT (${OBJECTS})`;

/** Append-only tables need no UPDATE or DELETE. */
export const MISSING_PRIVILEGES = `
  SELECT 'privilege ' || privilege || ' on ' || relname AS object
    FROM ${EXPECTED} JOIN pg_class ON object ^@ 'table ' AND split_part(object, ' (', 1) = 'table ' || relname
        AND relnamespace = 'public'::regnamespace,
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE NOT has_table_privilege(pg_class.oid, privilege) AND (privilege IN ('SELECT', 'INSERT')
      OR NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = relname || '_append_only'))
  UNION ALL
  SELECT 'privilege ' || privilege || ' on ' || relname
    FROM ${EXPECTED} JOIN pg_class ON object = 'sequence ' || relname AND relnamespace = 'public'::regnamespace,
      unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) AS privilege
    WHERE relkind = 'S' AND NOT has_sequence_privilege(pg_class.oid, privilege)`;
