import type { SystemInfo } from '@keyport/contract/operators/system';
import { formatDateTime, MICROS_PER_SECOND } from '@keyport/core/date-time';
import { describeConfig, type SettingDescription } from '../config.ts';
import { HOLDER_EXPIRY_SECONDS } from '../custody/master-key-watch.ts';
import { listHolders } from '../custody/master-keys.sql.ts';
import { describeMasterKeys } from '../custody/rotation.ts';
import { loadSchemaVersion } from '../db/migrations/migrate.ts';
import type { Platform } from '../platform.ts';
import type { Verification } from '../verify/feature.ts';

export type SystemDeps = Pick<Platform, 'config' | 'database' | 'masterKeys' | 'publicUrl' | 'version'> & {
  readonly loadLag: () => Promise<SystemInfo['lag']>;
  readonly lastVerification: Verification['verifier']['lastResults'];
};

export async function readSystem(deps: SystemDeps): Promise<SystemInfo> {
  const { config, database, masterKeys } = deps;
  const nodes = await listHolders(database.db, HOLDER_EXPIRY_SECONDS);
  const schema = await loadSchemaVersion(database);
  const { keys, ...rest } = await describeMasterKeys(database, masterKeys.list());
  return {
    version: deps.version,
    mode: config.mode,
    publicUrl: deps.publicUrl(),
    database: { kind: database.kind, version: schema.version, migrations: [...schema.migrations] },
    nodes: nodes.map(({ nodeId, version, startedAtMicros, seenAtMicros }) => ({
      id: nodeId,
      version,
      startedAt: formatDateTime(startedAtMicros),
      seenAt: formatDateTime(seenAtMicros),
    })),
    settings: describeConfig(config).map(showSetting),
    lag: await deps.loadLag(),
    masterKeys: { keys: [...keys], ...rest },
    lastVerification: showVerification(await deps.lastVerification()),
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
