import { randomUUID } from 'node:crypto';
import type { ListMeta } from '@keyport/contract/envelope';
import { isListWithCsv } from '@keyport/contract/list-csv';
import { OPERATIONS, type OperationName } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { formatJson, formatTree, printableLines } from '@keyport/sdk-source/commands/output';
import { type Command, Option } from 'commander';
import type { TObject } from 'typebox';
import { addKeyOption, addLeafCommand } from '../command-shape.ts';
import { writeTarget } from '../files.ts';
import { formatList } from '../output.ts';
import { type ApiClient, type ApiResponse, type CallParts, takesKey } from '../service/api-client.ts';
import { addUrlOption, connect } from '../service/connection.ts';
import { kebabCase, parseMembers, spellOutDays, toOptions } from './schema-options.ts';

export type OperationCommand = {
  readonly name: string;
  readonly operation: OperationName;
  /** The example follows the path's arguments. */
  readonly example?: string;
  readonly summary?: string;
  readonly presetBody?: Readonly<Record<string, unknown>>;
  /** Members of the body that are arguments instead of options. */
  readonly bodyArguments?: readonly string[];
  readonly withoutOptions?: readonly string[];
  /** Options that are named otherwise than their members. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** The path's last argument is optional; its default is a new UUID. */
  readonly makesId?: true;
  readonly format?: (data: unknown, client: ApiClient) => Promise<string>;
  /** Whether the command exits with 1. */
  readonly hasFailed?: (data: unknown) => boolean;
  readonly describeStatus?: Readonly<Record<number, string>>;
};

export function addOperationCommand(parent: Command, spec: OperationCommand): Command {
  const { bodyArguments = [], withoutOptions = [], renamed = {}, presetBody, makesId } = spec;
  const operation: OperationSpec = OPERATIONS[spec.operation];
  const body = presetBody === undefined ? (operation.body as TObject | undefined) : undefined;
  const summary = spec.summary ?? operation.summary;
  const pathArguments = Object.keys(operation.params?.properties ?? {});

  const samples = makesId
    ? []
    : pathArguments.map((name) => kebabCase(name).replaceAll('-', '_').toUpperCase());
  const example = [toFullName(parent), spec.name, ...samples, spec.example ?? ''].join(' ').trim();
  const command = addUrlOption(addLeafCommand(parent, { name: spec.name, summary, example }));
  if (operation.description !== undefined && spec.summary === undefined) {
    command.summary(summary).description(`${summary}. ${operation.description}`);
  }
  const argumentNames = [...pathArguments, ...bodyArguments];
  for (const name of argumentNames)
    command.argument(makesId ? `[${name}]` : `<${name}>`, makesId ? 'a new one by default' : '');
  if (isPaged(operation)) command.option('--all', 'all pages');
  for (const option of toOptions(operation.query, [], renamed)) command.addOption(option);
  for (const option of toOptions(body, [...bodyArguments, ...withoutOptions])) command.addOption(option);
  if (takesKey(spec.operation)) addKeyOption(command);
  if (operation.csvExample !== undefined || isListWithCsv(operation)) addCsvOptions(command);

  return command.action(async () => {
    const { json, url, all, csv, output, idempotencyKey, ...texts } = command.opts<CommandOptions>();
    const values = argumentNames.map((name, index) => [
      name,
      command.args[index] ?? (makesId ? randomUUID() : ''),
    ]);
    const given = Object.entries(texts).map(([option, text]) => [toMember(option, renamed), text]);
    const members: Record<string, string> = {
      ...Object.fromEntries(given),
      ...Object.fromEntries(values.slice(pathArguments.length)),
    };
    const parts = {
      params: Object.fromEntries(values.slice(0, pathArguments.length)),
      ...(operation.query === undefined ? {} : { query: spellOutDays(operation.query, members) }),
      ...(body === undefined ? {} : { body: parseMembers(body, members) }),
      ...(presetBody === undefined ? {} : { body: presetBody }),
      idempotencyKey,
      nameField: (field: string) => nameOption(field, argumentNames, renamed),
    };
    const client = await connect(url);
    if (csv) return writeTarget(output, await client.download(spec.operation, parts, 'text/csv'));
    const response = await (all
      ? callAll(client, spec.operation, parts)
      : client.call(spec.operation, parts));
    if (spec.hasFailed?.(response.body.data)) process.exitCode = 1;
    if (json) console.log(formatJson(response.body));
    else await show(spec, response, isDryRun(parts.body), client);
  });
}

type CommandOptions = {
  readonly json?: true;
  readonly url?: string;
  readonly all?: true;
  readonly csv?: true;
  readonly output?: string;
  readonly idempotencyKey?: string;
};

function addCsvOptions(command: Command): void {
  command
    .addOption(new Option('--csv', 'the whole list as CSV').conflicts(['json', 'all']))
    .option('--output <file>', 'where --csv writes, instead of standard output');
}

async function show(
  { operation, describeStatus = {}, format }: OperationCommand,
  response: ApiResponse<OperationName>,
  isPreview: boolean,
  client: ApiClient,
): Promise<void> {
  const replayed = response.isReplayed && response.body.data !== undefined ? REPLAYED : undefined;
  const sentence = isPreview ? PREVIEWED : (replayed ?? describeStatus[response.status]);
  if (sentence !== undefined) console.log(sentence);
  if (format === undefined || isPreview || response.status === 202) printForPeople(response, operation);
  else console.log(printableLines(await format(response.body.data, client)));
}

const PREVIEWED = 'Nothing was written. The result would be:';
const REPLAYED = 'The response of an earlier request with this key:';

function isDryRun(body: unknown): boolean {
  const { dryRun }: { readonly dryRun?: boolean } = Object(body);
  return dryRun === true;
}

function printForPeople(
  { body: { data, meta, summary } }: ApiResponse<OperationName>,
  name: OperationName,
): void {
  if (!Array.isArray(data)) {
    if (data !== undefined) console.log(formatTree(data));
    return;
  }
  if (summary !== undefined) console.log(`${formatTree(summary)}\n`);
  console.log(formatList(name, data));
  if (meta === undefined) return;
  if ('hasMore' in meta) {
    if (meta.matches !== undefined) console.log(describeMatches(meta.matches));
    if (meta.nextCursor !== null) console.log(`--cursor ${meta.nextCursor} shows more, --all everything`);
    return;
  }
  const more = meta.hasNext ? `; --page ${meta.page + 1} shows more` : '';
  console.log(`${meta.totalResults} in all, page ${meta.page}${more}`);
}

function describeMatches({ count, isAtLeast, sums }: NonNullable<ListMeta['matches']>): string {
  const amounts = sums.map(({ amount, currency }) => `${amount} ${currency}`);
  return [`${count}${isAtLeast ? '+' : ''} in all`, ...amounts].join(', ');
}

function isPaged({ query }: OperationSpec): boolean {
  return query !== undefined && ('page' in query.properties || 'cursor' in query.properties);
}

async function callAll(
  client: ApiClient,
  name: OperationName,
  parts: CallParts,
): Promise<ApiResponse<OperationName>> {
  const rows: unknown[] = [];
  const { query: schema }: OperationSpec = OPERATIONS[name];
  const { limit, after }: Record<string, { readonly maximum?: number }> = schema?.properties ?? {};
  const { itemsPerPage, ...asked } = parts.query ?? {};
  const isByCursor = limit !== undefined && !('page' in asked);
  // Numbered pages have their largest size by default.
  let query: NonNullable<CallParts['query']> = isByCursor
    ? { limit: itemsPerPage ?? String(limit.maximum), ...asked }
    : { ...asked, ...(itemsPerPage === undefined ? {} : { itemsPerPage }) };
  for (;;) {
    const { body, ...response } = await client.call(name, { ...parts, query });
    const page: unknown = body.data;
    if (Array.isArray(page)) rows.push(...page);
    const next = nextPage(body.meta, after === undefined ? undefined : Object(rows.at(-1)).id);
    if (next === undefined) {
      const { meta: _meta, ...rest } = body;
      return { ...response, body: { ...rest, data: rows as never } };
    }
    query = { ...query, ...next };
  }
}

function nextPage(
  meta: ApiResponse<OperationName>['body']['meta'],
  after: string | undefined,
): Record<string, string> | undefined {
  if (meta === undefined) return undefined;
  if ('hasMore' in meta) return meta.nextCursor === null ? undefined : { cursor: meta.nextCursor };
  if (!meta.hasNext) return undefined;
  return after === undefined ? { page: String(meta.page + 1) } : { after, page: '1' };
}

/** `body.limits.dailyUnitsMax` becomes `--limits dailyUnitsMax`, and `path.orderId` becomes `<orderId>`. */
function nameOption(
  field: string,
  argumentNames: readonly string[],
  renamed: Readonly<Record<string, string>>,
): string {
  const [, name = '', rest = ''] = /^\w+\.([\w-]+)(.*)$/.exec(field) ?? [];
  const place = rest === '' ? '' : ` ${rest.replace(/^\./, '')}`;
  return `${argumentNames.includes(name) ? `<${name}>` : `--${kebabCase(renamed[name] ?? name)}`}${place}`;
}

function toMember(option: string, renamed: Readonly<Record<string, string>>): string {
  return Object.keys(renamed).find((member) => renamed[member] === option) ?? option;
}

function toFullName(command: Command): string {
  return command.parent === null ? command.name() : `${toFullName(command.parent)} ${command.name()}`;
}
