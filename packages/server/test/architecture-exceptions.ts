/**
 * Files that do not keep a rule of the architecture yet, sorted, one per line. The test fails for a line that
 * is no longer needed: delete it. These lists only shrink.
 */

/** Files that import an SQL file or open a transaction. */
export const ROUTES_WITH_SQL: readonly string[] = [];

/** A file, and the feature above its own that it imports. */
export const UPWARD_IMPORTS: readonly string[] = [];

/** Files of `db/` that name a table of a feature. */
export const DATABASE_FILES_WITH_TABLES: readonly string[] = [];

/** Folders with too many files. */
export const CROWDED_FOLDERS: readonly string[] = ['bench/src'];

/** Files that import each other, if only types. */
export const IMPORT_CYCLES: readonly string[] = [];
