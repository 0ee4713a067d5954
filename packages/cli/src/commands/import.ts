/** `keyport import`: streams a file of any size to the import operation, in constant memory, and reports the outcome. */
import { extname } from 'node:path';
import { IMPORT_KINDS, type ImportResult } from '@keyport/contract/admin';
import { Argument, type Command, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { addUrlOption, connect } from '../connection.ts';
import { formatJson } from '../output.ts';
import { startProgress } from '../progress.ts';
import { openSource, type Source } from '../source-file.ts';

const CONTENT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof CONTENT_TYPES;

const FORMAT_BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

/** Rejected lines that are shown to people; `--json` has all that the service reports. */
const SHOWN_ERRORS_MAX = 20;

type Options = { readonly json?: true; readonly url?: string; readonly format?: Format };

export function addImportCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'import',
    summary: 'Import sellers, products, offers or keys; exit with 1 if a line is rejected',
    example: 'keyport import products products.csv',
  });
  addUrlOption(command)
    .addArgument(new Argument('<kind>', 'what the lines are').choices(IMPORT_KINDS))
    .argument('<file>', 'an .ndjson or .csv file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'where the name of the file does not tell').choices(
        Object.keys(CONTENT_TYPES),
      ),
    )
    .action(async (kind: string, file: string, { json, url, format: given }: Options) => {
      const format = given ?? FORMAT_BY_EXTENSION[extname(file).toLowerCase()];
      if (format === undefined) return command.error('error: say --format ndjson or --format csv');
      const source = await openSource(file);
      const client = await connect(url);
      const { body } = await client.call('importLines', {
        params: { kind },
        stream: { contentType: CONTENT_TYPES[format], chunks: readWithProgress(source) },
      });
      if (body.data === undefined) return;
      if (json) console.log(formatJson(body));
      else printForPeople(body.data);
      if (body.data.rejected > 0) process.exitCode = 1;
    });
}

async function* readWithProgress({ chunks, sizeBytes }: Source): AsyncGenerator<Buffer> {
  const progress = startProgress(sizeBytes);
  try {
    for await (const chunk of chunks) {
      yield chunk;
      progress.add(chunk.length);
    }
  } finally {
    progress.stop();
  }
}

function printForPeople({ read, written, unchanged, rejected, errors }: ImportResult): void {
  console.log(`${read} lines read: ${written} written, ${unchanged} unchanged, ${rejected} rejected.`);
  for (const { line, message } of errors.slice(0, SHOWN_ERRORS_MAX))
    console.log(`  line ${line}: ${message}`);
  if (rejected > SHOWN_ERRORS_MAX) console.log(`  … and ${rejected - SHOWN_ERRORS_MAX} more`);
}
