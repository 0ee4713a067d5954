import type { Command } from 'commander';

export type LeafCommand = {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
};

export function addLeafCommand(parent: Command, { name, summary, example }: LeafCommand): Command {
  return parent
    .command(name)
    .description(summary)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExample:\n  ${example}`);
}

export function addKeyOption(command: Command): Command {
  return command.option(
    '--idempotency-key <uuid>',
    'the key of an earlier run without a response, so that the command takes effect once',
  );
}

export function addGroupCommand(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary).helpCommand(false);
}
