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

/** For a command that writes; without it the command makes a key of its own (A209). */
export function addKeyOption(command: Command): Command {
  return command.option(
    '--idempotency-key <uuid>',
    'of an earlier run that got no answer: the command then takes effect once',
  );
}

export function addGroupCommand(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary).helpCommand(false);
}
