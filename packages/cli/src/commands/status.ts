import type { SystemInfo } from '@keyport/contract/operators/system';
import { formatTree } from '@keyport/sdk-source/commands/output';
import { type Config, parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { printResult } from '../output.ts';
import { addUrlOption, connectTo, locate } from '../service/connection.ts';

type Readiness = {
  readonly isReady: boolean;
  readonly checks?: Readonly<Record<string, boolean>>;
};

const READINESS_TIMEOUT_MS = 5_000;

export function addStatusCommand(program: Command): void {
  const status = addLeafCommand(program, {
    name: 'status',
    summary: 'Show where the service runs and the result of its last check; exit with 1 if it is not ready',
    example: 'keyport status',
  });
  addUrlOption(status).action(async ({ json, url: given }: { json?: true; url?: string }) => {
    const config = parseConfig();
    const { url, pid } = await locate(config, given);
    const readiness = await requestReadiness(url);
    if (readiness?.isReady !== true) process.exitCode = 1;
    if (readiness === undefined) {
      const advice = `No service responds at ${url}. Start one with \`keyport serve\`.`;
      return printResult(json, { url, isRunning: false }, [advice]);
    }
    const about = { url, ...(pid === undefined ? {} : { pid }), ready: readiness.isReady };
    const system = await readSystem(config, url).catch((error: unknown) => {
      if (readiness.isReady) throw error;
      // The database, which a token needs, may not be ready.
      return undefined;
    });
    const all = { ...about, isRunning: true, checks: readiness.checks, ...system };
    printResult(json, all, [formatForPeople(about, readiness, system)]);
  });
}

async function readSystem(config: Config, url: string): Promise<SystemInfo | undefined> {
  const client = await connectTo(config, url);
  return (await client.call('getSystem')).body.data;
}

async function requestReadiness(url: string): Promise<Readiness | undefined> {
  const signal = AbortSignal.timeout(READINESS_TIMEOUT_MS);
  const response = await fetch(`${url}/health/ready`, { signal }).catch(() => undefined);
  if (response === undefined) return undefined;
  const body = await response.json().catch(() => ({}));
  return { isReady: response.ok, checks: body.checks };
}

function formatForPeople(
  about: object,
  { isReady, checks = {} }: Readiness,
  system: SystemInfo | undefined,
): string {
  const failed = Object.keys(checks).filter((name) => checks[name] === false);
  return formatTree({
    ...about,
    ...(isReady ? {} : { notReadyBecauseOf: failed.join(', ') }),
    ...(system === undefined ? {} : summarize(system)),
  });
}

function summarize({ version, mode, publicUrl, masterKeys, lastVerification, database, nodes }: SystemInfo) {
  return {
    version,
    mode,
    publicUrl,
    database: `${database.kind}, PostgreSQL ${database.version}`,
    nodes: nodes.length,
    masterKeys: masterKeys.keys.length,
    lastVerification: lastVerification === null ? 'none yet' : describe(lastVerification),
  };
}

function describe({ finishedAt, broken, unchecked }: NonNullable<SystemInfo['lastVerification']>): string {
  const skipped = unchecked.length === 0 ? '' : `, ${unchecked.join(', ')} not checked`;
  return `${finishedAt}: ${broken.length === 0 ? 'all invariants hold' : `violated: ${broken.join(', ')}`}${skipped}`;
}
