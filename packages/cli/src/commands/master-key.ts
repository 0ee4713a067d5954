/** The service has no operation that touches its key file. */
import { must } from '@keyport/core/assert';
import { parseConfig } from '@keyport/server/config';
import type { MasterKeyOverview, Rotation } from '@keyport/server/custody/rotation';
import type { Database } from '@keyport/server/db/engines/database';
import { Presets, SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addGroupCommand, addLeafCommand } from '../command-shape.ts';
import { CommandFailure } from '../failure.ts';
import { formatTable, printResult } from '../output.ts';
import { requireMigrated, withDatabase, withDatabaseOr } from '../service/configured-database.ts';
import { connect } from '../service/connection.ts';

const BAR_FORMAT = '{bar} {percentage}%  {value} of {total} secrets, {eta_formatted} left {note}';

/** Nodes read the file every 5 s; a killed node no longer counts after 35 s. */
const WAIT_SECONDS_DEFAULT = 60;

type Options = { readonly json?: true };

export function addMasterKeyCommand(program: Command): void {
  const group = addGroupCommand(
    program,
    'master-key',
    'Master keys: add one, rotate to it, remove the old one',
  );
  addLeafCommand(group, {
    name: 'list',
    summary:
      'Show the master keys of the file, how many secrets each wraps, and how many running nodes hold it',
    example: 'keyport master-key list',
  }).action(list);
  addLeafCommand(group, {
    name: 'add',
    summary: 'Add a new master key to the file; it wraps nothing until you rotate',
    example: 'keyport master-key add',
  }).action(add);
  addLeafCommand(group, {
    name: 'rotate',
    summary:
      'Wrap all secrets with the newest key of the file while the service runs; if interrupted, run it again',
    example: 'keyport master-key rotate',
  })
    .addOption(
      new Option('--wait <seconds>', 'how long to wait until every running node holds the newest key')
        .default(WAIT_SECONDS_DEFAULT)
        .argParser(parseSeconds),
    )
    .action(rotate);
  addLeafCommand(group, {
    name: 'remove',
    summary: 'Remove a key that wraps nothing from the file',
    example: 'keyport master-key remove 0f1e2d3c4b5a6978',
  })
    .argument('<id>', 'its id in master-key list')
    .action(remove);
}

async function list({ json }: Options): Promise<void> {
  const { keys } = await openFile();
  const overview = await readOverview(keys);
  printResult(json, overview, describeOverview(overview));
}

async function add({ json }: Options): Promise<void> {
  const { file } = await openFile();
  const { addMasterKey } = await import('@keyport/server/custody/master-key-file');
  const { id } = await addMasterKey(file);
  printResult(json, { id, file }, [
    `The master key ${id} is added to ${file}. It wraps nothing yet.`,
    'Back up the file, copy it to every node, then run `keyport master-key rotate`.',
  ]);
}

async function rotate({ json, wait }: Options & { readonly wait: number }): Promise<void> {
  const { keys } = await openFile();
  const { rotateMasterKey } = await import('@keyport/server/custody/rotation');
  const bar = new SingleBar({ format: BAR_FORMAT, stream: process.stderr }, Presets.shades_classic);
  bar.start(0, 0, { note: '' });
  let result: Rotation;
  try {
    const rotate = onMigrated((database) =>
      rotateMasterKey({
        database,
        keys,
        holderWaitMs: wait * 1000,
        actor: 'command-line',
        onProgress: (done, total) => {
          bar.setTotal(total);
          bar.update(done, { note: '' });
        },
        onWait: ({ length }) => bar.update({ note: `(waiting for ${length} node(s) to read the new key)` }),
      }),
    );
    result = await withDatabase(parseConfig(), rotate);
  } finally {
    bar.stop();
  }
  printResult(json, result, [
    `${result.wrapped} secrets were wrapped with the master key ${result.masterKeyId}.`,
    `All ${result.checked} secrets were opened with this key alone: no other key wraps anything.`,
  ]);
}

async function remove(id: string, { json }: Options): Promise<void> {
  const { file, keys } = await openFile();
  const { rejectRemoval } = await import('@keyport/server/custody/rotation');
  const { removeMasterKey } = await import('@keyport/server/custody/master-key-file');
  const reason = rejectRemoval(await readOverview(keys), id);
  if (reason !== undefined) throw new CommandFailure(reason);
  await removeMasterKey(file, id);
  printResult(json, { id, file }, [
    `The master key ${id} is removed from ${file}. Remove it on the other nodes too.`,
    'Backups of the database from before the rotation still need it: keep a copy of it with them.',
  ]);
}

async function openFile() {
  const { loadMasterKeys, toMasterKeyFile } = await import('@keyport/server/custody/master-key-file');
  const config = parseConfig();
  const file = toMasterKeyFile(config);
  if (file === undefined) throw new CommandFailure('a sandbox in memory has no master key file');
  return { file, keys: await loadMasterKeys(config) };
}

async function readOverview(keys: Awaited<ReturnType<typeof openFile>>['keys']): Promise<MasterKeyOverview> {
  const { describeMasterKeys } = await import('@keyport/server/custody/rotation');
  const read = onMigrated((database) => describeMasterKeys(database, keys));
  return withDatabaseOr(parseConfig(), read, requestOverview);
}

async function requestOverview(): Promise<MasterKeyOverview> {
  const { body } = await (await connect(undefined)).call('getSystem');
  return must(body.data, 'the system describes itself').masterKeys;
}

function onMigrated<Result>(work: (database: Database) => Promise<Result>) {
  return async (database: Database): Promise<Result> => {
    await requireMigrated(database);
    return work(database);
  };
}

function describeOverview({ keys, unnamed, runningNodes }: MasterKeyOverview): string[] {
  const table = formatTable(keys, {
    'Master key': ({ id }) => id,
    'In the file': ({ isInFile }) => (isInFile ? 'yes' : 'no'),
    'Wraps new secrets': ({ isCurrent }) => (isCurrent ? 'yes' : 'no'),
    Secrets: ({ wrapped }) => String(wrapped),
    'Running nodes': ({ nodes }) => `${nodes} of ${runningNodes}`,
  });
  const advice = `${unnamed} secrets date from before keys had ids; \`keyport master-key rotate\` adds the ids.`;
  return unnamed === 0 ? [table] : [table, '', advice];
}

function parseSeconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
