import manifest from '@keyport/server/package.json' with { type: 'json' };
import { Command } from 'commander';

/** Commands inherit these settings. */
export function createProgram(): Command {
  return new Command('keyport')
    .description('Runs and operates the Keyport export service.')
    .version(manifest.version, '--version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('Add --help to show the usage.')
    .addHelpText('after', '\nExample:\n  keyport serve')
    .exitOverride();
}

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
