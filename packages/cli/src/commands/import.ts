/** `keyport import`: brings a file of any size into the catalogue, in constant memory, and continues where it stopped. */
import { randomBytes } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { IMPORT_KINDS, type ImportKind, type ImportResult } from '@keyport/contract/catalogue/imports';
import { formatJson, printable } from '@keyport/sdk-source/commands/output';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { addUrlOption, connect } from '../connection.ts';
import { readMapping } from '../import/mapping.ts';
import { Meter } from '../import/meter.ts';
import { Rejects } from '../import/rejects.ts';
import { type ImportJob, ImportStopped, runImport } from '../import/run-import.ts';
import { type Format, formatOf, hashFile, isFile } from '../import/source.ts';

/** Rejected lines that are shown to people; `--json` has the first thousand, the file of rejected lines all. */
const SHOWN_ERRORS_MAX = 20;
const SHOWN_PRICES_MAX = 10;

/** As of every program that Ctrl-C ended. */
const EXIT_STOPPED = 130;

const EXAMPLES = `
More examples:
  keyport import offers offers.ndjson.gz --dry-run
  keyport import offers offers.csv --delete-missing --yes
  keyport import offers export.csv --map mapping.json
  curl https://feeds.example/keys.csv | keyport import keys - --format csv --id keys-of-today

Rejected lines are kept beside the file, ready to be corrected and imported again. An import that stopped continues
where it was when the same command is run again. See docs/importing.md.`;

const MISSING_DESCRIPTIONS: Readonly<Record<ImportKind, string>> = {
  sellers: 'the offers of all sellers that the file does not name are paused',
  products: 'the offers of all products that the file does not name are paused',
  offers: 'the other offers of the sellers of its offers are paused',
  prices: 'the other offers of the sellers of its offers are paused',
  keys: 'the other unsold keys of the offers of its keys are withdrawn',
};

type Options = {
  readonly json?: true;
  readonly url?: string;
  readonly format?: Format;
  readonly map?: string;
  readonly id?: string;
  readonly restart?: true;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly deleteMissing?: true;
  readonly confirmRemovals?: string;
  readonly yes?: true;
};

export function addImportCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'import',
    summary:
      'Import sellers, products, offers, prices or keys; exit with 1 if a line or --delete-missing is refused',
    example: 'keyport import products products.csv',
  });
  addUrlOption(command)
    .addArgument(new Argument('<kind>', 'what the lines are').choices(IMPORT_KINDS))
    .argument(
      '<source>',
      'an .ndjson or .csv file, also with .gz, an http(s) address, or - for standard input',
    )
    .addOption(
      new Option('--format <format>', 'where the name of the source does not say').choices(['ndjson', 'csv']),
    )
    .addOption(
      new Option('--map <file>', 'how the columns of the source become our fields').conflicts('format'),
    )
    .option('--id <name>', 'a name by which an import of something else than a file can go on')
    .option('--restart', 'begin from line 1, also where this import could go on')
    .option('--rejects <file>', 'where rejected lines go; otherwise beside the file')
    .option('--dry-run', 'check and count everything, and keep nothing')
    .option('--delete-missing', 'take off sale what the source does not name, when no line was rejected')
    .addOption(
      new Option(
        '--confirm-removals <number>',
        'with --delete-missing: take this many off sale, as an earlier run said that it would',
      ).argParser(parseCount),
    )
    .option('--yes', 'do not ask before --delete-missing')
    .addHelpText('after', EXAMPLES)
    .action(async (kind: ImportKind, source: string, options: Options) => {
      const mapping = options.map === undefined ? undefined : await readMapping(options.map, kind);
      const format = mapping?.source.format ?? options.format ?? formatOf(source);
      if (format === undefined) return command.error('error: say --format ndjson or --format csv');
      const mayRemove = options.yes || options.confirmRemovals !== undefined;
      if (options.deleteMissing && !options.dryRun && !mayRemove && !(await isConfirmed(kind, source))) {
        return command.error('error: --delete-missing was not confirmed; answer yes, or say --yes');
      }
      const rejectsPath = options.rejects ?? (isFile(source) ? `${source}.rejects.${format}` : undefined);
      if (rejectsPath !== undefined && resolve(rejectsPath) === resolve(source)) {
        return command.error('error: --rejects names the file that is imported; name another one');
      }
      const meter = new Meter();
      const importId = options.dryRun
        ? undefined
        : await nameImport({ source, salt: [kind, format, mapping?.text] }, options, meter);
      const job: ImportJob = {
        ...{ kind, source, format, mapping, importId, fileName: fileNameOf(source) },
        resumeHint: describeResuming(importId, options),
        dryRun: options.dryRun === true,
        deleteMissing: options.deleteMissing === true,
        confirmRemovals: options.confirmRemovals,
        isRepeatable: isFile(source),
        rejects: rejectsPath === undefined ? undefined : await Rejects.open(rejectsPath),
      };
      await carryOut(job, options, meter);
    });
}

async function carryOut(job: ImportJob, options: Options, meter: Meter): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    // The second time it ends at once.
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    meter.note('Stopping after the batch under way …');
    stop.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  try {
    const result = await runImport(job, { connect: () => connect(options.url), meter, stop: stop.signal });
    meter.stop();
    if (options.json) console.log(formatJson({ data: result }));
    else printForPeople(result, job);
    const isWhole = result.rejected + result.rejectedBefore === 0 && result.removalRefused === undefined;
    if (!isWhole) process.exitCode = 1;
  } catch (error) {
    meter.stop();
    if (!(error instanceof ImportStopped)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_STOPPED;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * What the service knows the import by. Of a file it follows from what is imported and how, so that the same command
 * continues with it and no other does.
 */
async function nameImport(
  { source, salt }: { source: string; salt: readonly (string | undefined)[] },
  { id, restart }: Options,
  meter: Meter,
): Promise<string | undefined> {
  if (id !== undefined) return restart ? withSuffix(id) : id;
  if (!isFile(source)) return undefined;
  let totalBytes: number | undefined;
  const hash = await hashFile(source, JSON.stringify(salt), (sizeBytes, total) => {
    if (totalBytes === undefined) meter.start(total, 'Reading');
    totalBytes = total ?? 0;
    meter.read(sizeBytes);
  });
  meter.stop();
  return restart ? withSuffix(hash) : hash;
}

/** Another import of the same. */
function withSuffix(id: string): string {
  return `${id.slice(0, 80)}-${randomBytes(6).toString('hex')}`;
}

async function isConfirmed(kind: ImportKind, source: string): Promise<boolean> {
  if (!process.stdin.isTTY || source === '-') return false;
  const readline = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `After the last line of ${source}, ${MISSING_DESCRIPTIONS[kind]}. Type yes to do so: `;
    return (await readline.question(question)).trim() === 'yes';
  } finally {
    readline.close();
  }
}

function describeResuming(importId: string | undefined, { restart }: Options): string {
  if (importId === undefined) return 'Run again, it begins from line 1; with --id it could go on.';
  return restart
    ? `To go on, run the same command with --id ${importId} instead of --restart.`
    : 'To go on, run the same command again.';
}

/** Without the query of an address, which may have a secret. */
function fileNameOf(source: string): string | undefined {
  if (source === '-') return undefined;
  const path = isFile(source) ? source : new URL(source).pathname;
  const name = basename(path)
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255);
  return name === '' ? undefined : name;
}

function printPrices({ changed, outliers, largest }: NonNullable<ImportResult['prices']>): void {
  if (changed === 0) return;
  console.log(`${changed} ${changed === 1 ? 'price changes' : 'prices change'}, the largest changes first:`);
  for (const { line, before, after, productName, sellerName, isOutlier } of largest.slice(
    0,
    SHOWN_PRICES_MAX,
  )) {
    const mark = isOutlier ? ' (!)' : '';
    console.log(
      `  line ${line}: ${before} → ${after}${mark}  ${printable(productName)}, ${printable(sellerName)}`,
    );
  }
  if (outliers > 0)
    console.log(
      `Warning: ${outliers} of them ${outliers === 1 ? 'is' : 'are'} above three times the price before, or below a third of it (!).`,
    );
}

function printForPeople(result: ImportResult, { rejects, kind }: ImportJob): void {
  const { read, written, unchanged, rejected, skipped, rejectedBefore, errors, removed, dryRun } = result;
  const before = skipped === 0 ? '' : ` (${skipped} of them before, ${rejectedBefore} rejected)`;
  const would = dryRun ? ' Nothing was kept: it was a dry run.' : '';
  console.log(
    `${read} ${read === 1 ? 'line' : 'lines'} read${before}: ${written} written, ${unchanged} unchanged, ${rejected} rejected.${would}`,
  );
  for (const { line, message } of errors.slice(0, SHOWN_ERRORS_MAX)) {
    console.log(`  line ${line}: ${printable(message)}`);
  }
  if (rejected > SHOWN_ERRORS_MAX) console.log(`  … and ${rejected - SHOWN_ERRORS_MAX} more`);
  if (rejected + rejectedBefore > 0 && rejects !== undefined) {
    console.log(`The rejected lines are in ${rejects.path}, the reasons in ${rejects.reasonsPath}.`);
    if (rejects.notKeptCount > 0) {
      console.log(
        `${rejects.notKeptCount} of them too long to be kept: correct the source itself, and import it again.`,
      );
    }
  }
  if (removed > 0)
    console.log(`${removed} ${dryRun ? 'would be ' : ''}taken off sale, because they are missing.`);
  if (removed > 0 && !result.dryRun)
    console.log(`To put them back: keyport catalogue restore-removed ${result.runId} --reason …`);
  if (result.prices !== undefined) printPrices(result.prices);
  const canUndo = written > 0 && !dryRun && kind !== 'products' && kind !== 'sellers';
  if (canUndo) console.log(`To undo the import: keyport imports undo ${result.runId} --reason …`);
  if (result.removalRefused !== undefined) console.log(result.removalRefused);
  if (result.removalsToConfirm !== undefined)
    console.log(`With this command: --confirm-removals ${result.removalsToConfirm}`);
}

function parseCount(text: string): string {
  if (/^[1-9]\d{0,11}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
