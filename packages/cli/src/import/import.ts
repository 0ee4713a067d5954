import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { IMPORT_KINDS, type ImportKind, type ImportResult } from '@keyport/contract/catalogue/imports';
import { formatJson, printable } from '@keyport/sdk-source/commands/output';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { addUrlOption, connect } from '../service/connection.ts';
import { readMapping } from './mapping.ts';
import { Meter } from './meter.ts';
import { clearRejects, type Rejected, toReasonsPath, writeRejects } from './rejects.ts';
import { type ImportJob, ImportStopped, runImport } from './run-import.ts';
import { type Format, isFile, openImportSource, toFormat } from './source.ts';

const SHOWN_ERRORS_MAX = 20;
const SHOWN_PRICES_MAX = 10;

const EXIT_STOPPED = 130;

const FORMAT_DESCRIPTION = 'required if the name of the source has no known extension';

const EXAMPLES = `
More examples:
  keyport import offers offers.ndjson.gz --dry-run
  keyport import offers offers.csv --delete-missing --yes
  keyport import offers export.csv --map mapping.json
  curl https://feeds.example/keys.csv | keyport import keys - --format csv

Rejected lines are written beside the file, to correct and import again. If an import breaks off,
run the same command again: lines that are stored are unchanged. See docs/importing.md.`;

const MISSING_DESCRIPTIONS: Readonly<Record<ImportKind, string>> = {
  sellers: 'offers of all sellers that it lacks are paused',
  products: 'offers of all products that it lacks are paused',
  offers: 'other offers of the same sellers are paused',
  prices: 'other offers of the same sellers are paused',
  keys: 'other unsold keys of the same offers are withdrawn',
};

type Options = {
  readonly json?: true;
  readonly url?: string;
  readonly format?: Format;
  readonly map?: string;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly deleteMissing?: true;
  readonly confirmRemovals?: string;
  readonly yes?: true;
};

export function addImportCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'import',
    summary: 'Import sellers, products, offers, prices or keys; exit with 1 if anything is rejected',
    example: 'keyport import products products.csv',
  });
  addUrlOption(command)
    .addArgument(new Argument('<kind>', 'the kind of the lines').choices(IMPORT_KINDS))
    .argument(
      '<source>',
      'an .ndjson or .csv file (or with .gz), an http(s) address, or - for standard input',
    )
    .addOption(new Option('--format <format>', FORMAT_DESCRIPTION).choices(['ndjson', 'csv']))
    .addOption(new Option('--map <file>', 'the mapping from the columns to our fields').conflicts('format'))
    .option('--rejects <file>', 'the file of rejected lines; by default beside the source')
    .option('--dry-run', 'check and count everything, and keep nothing')
    .option('--delete-missing', 'take everything that the source lacks off sale, if no line was rejected')
    .option(
      '--confirm-removals <number>',
      'with --delete-missing: take this many off sale, as an earlier run reported',
      parseCount,
    )
    .option('--yes', 'skip the confirmation of --delete-missing')
    .addHelpText('after', EXAMPLES)
    .action(async (kind: ImportKind, source: string, options: Options) => {
      const mapping = options.map === undefined ? undefined : await readMapping(options.map);
      const format = formatIn(mapping) ?? options.format ?? toFormat(source);
      if (format === undefined) return command.error('error: set --format ndjson or --format csv');
      const mayRemove = options.yes || options.confirmRemovals !== undefined;
      if (options.deleteMissing && !options.dryRun && !mayRemove && !(await isConfirmed(kind, source))) {
        return command.error('error: --delete-missing was not confirmed; type yes, or set --yes');
      }
      const rejectsPath = options.rejects ?? (isFile(source) ? `${source}.rejects.${format}` : undefined);
      if (rejectsPath !== undefined && resolve(rejectsPath) === resolve(source)) {
        return command.error('error: --rejects names the source; name another file');
      }
      const opened = await openImportSource(source, JSON.stringify([kind, format, mapping]));
      try {
        const job: ImportJob = {
          kind,
          source: opened,
          format,
          mapping,
          fileName: toFileName(source),
          dryRun: options.dryRun === true,
          deleteMissing: options.deleteMissing === true,
          confirmRemovals: options.confirmRemovals,
        };
        await carryOut(job, options, rejectsPath);
      } finally {
        await opened.dispose();
      }
    });
}

function formatIn(mapping: Awaited<ReturnType<typeof readMapping>> | undefined): Format | undefined {
  const format = mapping?.source?.format;
  return format === 'csv' || format === 'ndjson' ? format : undefined;
}

async function carryOut(job: ImportJob, options: Options, rejectsPath: string | undefined): Promise<void> {
  const stop = new AbortController();
  const meter = new Meter();
  const onSignal = () => {
    // A second signal ends the process immediately.
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    meter.note('Stopping after the current batch …');
    stop.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  const connectAgain = () => connect(options.url);
  try {
    const result = await runImport(job, { connect: connectAgain, meter, stop: stop.signal });
    const kept = rejectsPath === undefined ? 0 : await keepRejects(job, result, rejectsPath, connectAgain);
    if (options.json) console.log(formatJson({ data: result }));
    else printForPeople(result, job, rejectsPath, kept);
    if (result.rejected > 0 || result.removalRefused !== undefined) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_STOPPED;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
}

/** The service keeps the first 10,000 rejected lines of a run. Returns how many were written. */
async function keepRejects(
  { source, format, mapping }: ImportJob,
  { rejected, errors, runId }: ImportResult,
  path: string,
  connectAgain: () => ReturnType<typeof connect>,
): Promise<number> {
  if (rejected === 0) {
    clearRejects(path);
    return 0;
  }
  const all: readonly Rejected[] =
    rejected === errors.length ? errors : await listRejects(await connectAgain(), runId);
  const { headerLine = 1, quote = '"' } = mappingSource(mapping);
  const layout = format === 'csv' ? { headerLine, quote } : { headerLine: 0, quote: undefined };
  await writeRejects(path, source.readText(), { rejected: all, ...layout });
  return all.length;
}

function mappingSource(mapping: object | undefined): {
  readonly headerLine?: number;
  readonly quote?: string;
} {
  return Object(Object(mapping).source);
}

async function listRejects(client: Awaited<ReturnType<typeof connect>>, runId: string): Promise<Rejected[]> {
  const rejected: Rejected[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await client.call('listImportRejects', {
      params: { runId },
      query: { limit: '1000', cursor },
    });
    rejected.push(...(body.data ?? []));
    cursor =
      body.meta !== undefined && 'nextCursor' in body.meta ? (body.meta.nextCursor ?? undefined) : undefined;
  } while (cursor !== undefined);
  return rejected;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function isConfirmed(kind: ImportKind, source: string): Promise<boolean> {
  if (!process.stdin.isTTY || source === '-') return false;
  const readline = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `After the last line of ${source}, ${MISSING_DESCRIPTIONS[kind]}. Type yes to confirm: `;
    return (await readline.question(question)).trim() === 'yes';
  } finally {
    readline.close();
  }
}

/** Omits the query of an address, which may contain a secret. */
function toFileName(source: string): string | undefined {
  if (source === '-') return undefined;
  const path = isFile(source) ? source : new URL(source).pathname;
  const name = basename(path)
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255);
  return name === '' ? undefined : name;
}

function describePrices({ changed, outliers, largest }: NonNullable<ImportResult['prices']>): string[] {
  if (changed === 0) return [];
  const lines = largest.slice(0, SHOWN_PRICES_MAX).map((price) => {
    const change = `${price.before} → ${price.after}${price.isOutlier ? ' (!)' : ''}`;
    return `  line ${price.line}: ${change}  ${printable(price.productName)}, ${printable(price.sellerName)}`;
  });
  const warning = `Warning: ${outliers} of them are more than three times or less than a third of the previous price (!)`;
  return [
    `${changed} ${changed === 1 ? 'price changes' : 'prices change'}, the largest changes first:`,
    ...lines,
    ...(outliers > 0 ? [warning] : []),
  ];
}

function printForPeople(
  result: ImportResult,
  { kind }: ImportJob,
  rejectsPath: string | undefined,
  kept: number,
): void {
  const { read, written, unchanged, rejected, removed, dryRun, runId, trimmed = 0 } = result;
  const counts = `${written} written, ${unchanged} unchanged, ${rejected} rejected`;
  const would = dryRun ? ' Nothing was kept: it was a dry run.' : '';
  const canUndo = written > 0 && !dryRun && kind !== 'products' && kind !== 'sellers';
  const lines = [
    `${read} ${read === 1 ? 'line' : 'lines'} read: ${counts}.${would}`,
    ...result.errors
      .slice(0, SHOWN_ERRORS_MAX)
      .map(({ line, message }) => `  line ${line}: ${printable(message)}`),
    rejected > SHOWN_ERRORS_MAX && `  … and ${rejected - SHOWN_ERRORS_MAX} more`,
    ...(rejectsPath === undefined || rejected === 0 ? [] : describeRejects(rejectsPath, rejected - kept)),
    trimmed > 0 &&
      `${trimmed} ${trimmed === 1 ? 'code' : 'codes'} had blanks or invisible characters at an end, which were removed.`,
    removed > 0 && `${removed} ${dryRun ? 'would be ' : ''}taken off sale, because the source lacks them.`,
    removed > 0 && !dryRun && `To put them back: keyport catalogue restore-removed ${runId} --reason …`,
    ...(result.prices === undefined ? [] : describePrices(result.prices)),
    canUndo && `To undo the import: keyport imports undo ${runId} --reason …`,
    result.removalRefused,
    result.removalsToConfirm &&
      `To confirm, add to this command: --confirm-removals ${result.removalsToConfirm}`,
  ];
  console.log(lines.filter((line) => typeof line === 'string').join('\n'));
}

function describeRejects(path: string, notKept: number): string[] {
  return [
    `The rejected lines are in ${path}, the reasons in ${toReasonsPath(path)}.`,
    ...(notKept > 0 ? [`${notKept} more are not in them: correct these, and import the source again.`] : []),
  ];
}

function parseCount(text: string): string {
  if (/^[1-9]\d{0,11}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
