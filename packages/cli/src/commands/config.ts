import { describeConfig, parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { formatTable, printResult } from '../output.ts';

export function addConfigCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'config',
    summary: 'Show every setting and its current value',
    example: 'KEYPORT_PORT=9000 keyport config',
  }).action(({ json }: { json?: true }) => {
    const settings = describeConfig(parseConfig());
    const table = formatTable(settings, {
      Setting: ({ variable }) => variable,
      Current: ({ value }) => value ?? '-',
      Default: (setting) => setting.default ?? '-',
      Meaning: ({ description }) => description,
    });
    printResult(json, settings, [table]);
  });
}
