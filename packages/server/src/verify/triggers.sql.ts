/** Bits of pg_trigger.tgtype. */
export const DELETE = 8;
export const UPDATE = 16;
export const TRUNCATE = 32;
const BEFORE = 2;

type ExpectedTrigger = {
  readonly table: string;
  readonly trigger: string;
  /** The sum of the rejected statements' bits. */
  readonly rejected: number;
};

export function missingTriggers(expected: readonly ExpectedTrigger[]): string {
  const rows = expected.map(
    ({ table, trigger, rejected }) => `('${table}'::regclass, '${trigger}', ${BEFORE + rejected})`,
  );
  return `SELECT 'the trigger ' || expected.name || ' is missing, disabled or different' AS broken
    FROM (VALUES ${rows.join(', ')}) AS expected (relation, name, type)
    LEFT JOIN pg_trigger ON tgrelid = relation AND tgname = name AND tgtype = type AND tgenabled IN ('O', 'A')
      AND tgfoid IN ('refuse_change'::regproc, 'refuse_delete'::regproc)
    WHERE pg_trigger.oid IS NULL`;
}
