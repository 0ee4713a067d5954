/** The two kinds of command: a group of others, and one that does something, with an example and `--json`. */
import type { Command } from 'commander';

export type LeafCommand = {
  readonly name: string;
  readonly summary: string;
  /** One line as it is typed. */
  readonly example: string;
};

export function addLeafCommand(parent: Command, { name, summary, example }: LeafCommand): Command {
  return parent
    .command(name)
    .description(summary)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExample:\n  ${example}`);
}

export function addGroupCommand(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary).helpCommand(false);
}
