/** What an operator asks about the installation as a whole: what runs, and what was found at the last check. */
import { formatDateTime } from '@keyport/core/date-time';
import type { Mode } from '../config.ts';
import type { MasterKeyOverview } from '../custody/rotation.ts';
import type { OperationHandlers } from '../http/operation.ts';

const MICROS_PER_SECOND = 1_000_000;

export type SystemDeps = {
  readonly version: string;
  readonly mode: Mode;
  readonly publicUrl: () => string;
  readonly loadDatabase: () => Promise<{
    readonly kind: 'embedded' | 'postgres';
    readonly version: string;
    readonly migrations: readonly string[];
  }>;
  readonly listNodes: () => Promise<readonly { readonly nodeId: string }[]>;
  readonly describeMasterKeys: () => Promise<MasterKeyOverview>;
  readonly lastVerification: () => Promise<
    | {
        readonly finishedAtSeconds: number;
        readonly broken: Readonly<Record<string, number>>;
        readonly unchecked: readonly string[];
      }
    | undefined
  >;
};

export function buildSystemHandlers(deps: SystemDeps): Pick<OperationHandlers, 'getSystem'> {
  return {
    async getSystem() {
      const last = await deps.lastVerification();
      const { migrations, ...database } = await deps.loadDatabase();
      const { keys, ...rest } = await deps.describeMasterKeys();
      const data = {
        version: deps.version,
        mode: deps.mode,
        publicUrl: deps.publicUrl(),
        database: { ...database, migrations: [...migrations] },
        nodes: (await deps.listNodes()).map(({ nodeId }) => ({ id: nodeId })),
        masterKeys: { keys: [...keys], ...rest },
        lastVerification:
          last === undefined
            ? null
            : {
                finishedAt: formatDateTime(Math.round(last.finishedAtSeconds * MICROS_PER_SECOND)),
                broken: Object.keys(last.broken).filter((id) => last.broken[id] !== 0),
                unchecked: [...last.unchecked],
              },
      };
      return { status: 200, data };
    },
  };
}
