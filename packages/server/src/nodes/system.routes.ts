/** The installation as a whole: nodes, settings, and the last check of the invariants. A363. */
import type { SystemInfo } from '@keyport/contract/operators/system';
import { formatDateTime, MICROS_PER_SECOND } from '@keyport/core/date-time';
import type { Mode, SettingDescription } from '../config.ts';
import type { MasterKeyOverview } from '../custody/rotation.ts';
import type { OperationHandlers } from '../operations/operation.ts';

type CheckedInvariant = {
  readonly id: string;
  readonly title: string;
  /** Null: not checked. */
  readonly broken: number | null;
  readonly brokenSinceMicros: number | null;
};

export type SystemDeps = {
  readonly version: string;
  readonly mode: Mode;
  readonly publicUrl: () => string;
  readonly settings: readonly SettingDescription[];
  readonly loadDatabase: () => Promise<{
    readonly kind: 'embedded' | 'postgres';
    readonly version: string;
    readonly migrations: readonly string[];
  }>;
  readonly listNodes: () => Promise<
    readonly {
      readonly nodeId: string;
      readonly version: string;
      readonly startedAtMicros: number;
      readonly seenAtMicros: number;
    }[]
  >;
  readonly describeMasterKeys: () => Promise<MasterKeyOverview>;
  readonly loadLag: () => Promise<SystemInfo['lag']>;
  readonly lastVerification: () => Promise<
    | {
        readonly finishedAtSeconds: number;
        readonly durationMs: number;
        readonly checked: number;
        readonly invariants: readonly CheckedInvariant[];
      }
    | undefined
  >;
};

export function buildSystemHandlers(deps: SystemDeps): Pick<OperationHandlers, 'getSystem'> {
  return {
    async getSystem() {
      const { migrations, ...database } = await deps.loadDatabase();
      const { keys, ...rest } = await deps.describeMasterKeys();
      const data: SystemInfo = {
        version: deps.version,
        mode: deps.mode,
        publicUrl: deps.publicUrl(),
        database: { ...database, migrations: [...migrations] },
        nodes: (await deps.listNodes()).map(({ nodeId, version, startedAtMicros, seenAtMicros }) => ({
          id: nodeId,
          version,
          startedAt: formatDateTime(startedAtMicros),
          seenAt: formatDateTime(seenAtMicros),
        })),
        settings: deps.settings.map(showSetting),
        lag: await deps.loadLag(),
        masterKeys: { keys: [...keys], ...rest },
        lastVerification: showVerification(await deps.lastVerification()),
      };
      return { status: 200, data };
    },
  };
}

function showSetting({ variable, value, source, isSecret, description }: SettingDescription) {
  return { name: variable, value: isSecret ? null : (value ?? null), source, isSecret, description };
}

function showVerification(
  last: Awaited<ReturnType<SystemDeps['lastVerification']>>,
): SystemInfo['lastVerification'] {
  if (last === undefined) return null;
  const { finishedAtSeconds, durationMs, checked, invariants } = last;
  return {
    finishedAt: formatDateTime(Math.round(finishedAtSeconds * MICROS_PER_SECOND)),
    durationMs,
    checked,
    invariants: invariants.map(({ brokenSinceMicros, ...invariant }) => ({
      ...invariant,
      brokenSince: brokenSinceMicros === null ? null : formatDateTime(brokenSinceMicros),
    })),
    broken: invariants.flatMap(({ id, broken }) => (broken === null || broken === 0 ? [] : [id])),
    unchecked: invariants.flatMap(({ id, broken }) => (broken === null ? [id] : [])),
  };
}
