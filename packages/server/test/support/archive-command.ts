/** The documented `archive_command`, so that tests run exactly that command. */
import { readFile } from 'node:fs/promises';

const ROOT = new URL('../../../../', import.meta.url);

export async function archiveCommand(file: string, archive: string): Promise<string> {
  const text = await readFile(new URL(file, ROOT), 'utf8');
  const [, command] = /archive_command(?: =|:) '([^']+)'/.exec(text) ?? [];
  if (command === undefined) throw new Error(`${file} has no archive_command`);
  return command.replaceAll('/backup/wal', archive).replace(/\$\{NAME\}/g, 'node');
}
