/**
 * A command for an operation of the operator interface, made from its row of the table: its path parameters are the
 * arguments, the members of its query or body the options, and its summary the help.
 */
import { OPERATIONS, type OperationSpec } from '@keyport/contract/operations';
import type { Command } from 'commander';
import type { TObject, TSchema } from 'typebox';
import type { Answer, OperatorOperation } from './api-client.ts';
import { addLeafCommand } from './command-shape.ts';
import { addUrlOption, connect } from './connection.ts';
import { formatJson, formatMember, formatTable, formatTree } from './output.ts';
import { optionsOf, parseMembers } from './schema-options.ts';

type OperationCommand = {
  readonly name: string;
  readonly operation: OperatorOperation;
  readonly example: string;
  /** Instead of the operation's own words. */
  readonly summary?: string;
  /** Instead of options for the members of the body. */
  readonly presetBody?: Readonly<Record<string, unknown>>;
  /** Of a list: the members that its table shows, nested ones with a dot. */
  readonly columns?: readonly string[];
  /** Members of the body that are arguments, after those of the path, instead of options. */
  readonly bodyArguments?: readonly string[];
  /** A sentence for people above the answer, where the status tells something. */
  readonly describeStatus?: Readonly<Record<number, string>>;
};

export function addOperationCommand(parent: Command, spec: OperationCommand): Command {
  const { columns = [], bodyArguments = [], describeStatus = {}, presetBody } = spec;
  const operation: OperationSpec = OPERATIONS[spec.operation];
  const body = presetBody === undefined ? objectOf(operation.body) : undefined;
  const summary = spec.summary ?? operation.summary;
  const pathArguments = Object.keys(operation.params?.properties ?? {});

  const command = addUrlOption(addLeafCommand(parent, { name: spec.name, summary, example: spec.example }));
  if (operation.description !== undefined && spec.summary === undefined) {
    command.summary(summary).description(`${summary}. ${operation.description}`);
  }
  for (const name of [...pathArguments, ...bodyArguments]) command.argument(`<${name}>`);
  for (const option of optionsOf(operation.query)) command.addOption(option);
  for (const option of optionsOf(body, bodyArguments)) command.addOption(option);

  return command.action(async () => {
    const { json, url, ...texts } = command.opts<{ json?: true; url?: string }>();
    const values = [...pathArguments, ...bodyArguments].map((name, index) => [
      name,
      command.args[index] ?? '',
    ]);
    const members = { ...texts, ...Object.fromEntries(values.slice(pathArguments.length)) };
    const parts = {
      params: Object.fromEntries(values.slice(0, pathArguments.length)),
      ...(operation.query === undefined ? {} : { query: members }),
      ...(body === undefined ? {} : { body: parseMembers(body, members) }),
      ...(presetBody === undefined ? {} : { body: presetBody }),
    };
    const client = await connect(url);
    const answer = await client.call(spec.operation, parts);
    if (json) console.log(formatJson(answer.body));
    else printForPeople(answer, columns, describeStatus[answer.status]);
  });
}

function printForPeople(
  { body: { data, meta } }: Answer<OperatorOperation>,
  columns: readonly string[],
  sentence: string | undefined,
): void {
  if (sentence !== undefined) console.log(sentence);
  if (!Array.isArray(data)) {
    if (data !== undefined) console.log(formatTree(data));
    return;
  }
  const rows: readonly unknown[] = data;
  console.log(
    formatTable(
      columns.map((path) => ({ title: path, text: (row) => formatMember(row, path) })),
      rows,
    ),
  );
  if (meta === undefined) return;
  const more = meta.hasNext ? `; --page ${meta.page + 1} shows more` : '';
  console.log(`${meta.totalResults} in all, page ${meta.page}${more}`);
}

/** Bodies of the operator interface are objects. */
function objectOf(schema: TSchema | undefined): TObject | undefined {
  return schema as TObject | undefined;
}
