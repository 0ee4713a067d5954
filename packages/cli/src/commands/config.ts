import { formatJson } from '@keyport/sdk-source/commands/output';
import { describeConfig, parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { formatTable } from '../output.ts';

export function addConfigCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'config',
    summary: 'Show every setting and its current value',
    example: 'KEYPORT_PORT=9000 keyport config',
  }).action(({ json }: { json?: true }) => {
    const settings = describeConfig(parseConfig());
    console.log(
      json
        ? formatJson(settings)
        : formatTable(
            [
              { title: 'Setting', text: ({ variable }) => variable },
              { title: 'Current', text: ({ value }) => value ?? '-' },
              { title: 'Default', text: (setting) => setting.default ?? '-' },
              { title: 'Meaning', text: ({ description }) => description },
            ],
            settings,
          ),
    );
  });
}
