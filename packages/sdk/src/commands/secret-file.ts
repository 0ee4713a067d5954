import { readFileSync } from 'node:fs';
import { CommandFailure } from './failure.ts';

const STANDARD_INPUT = 0;
/** Standard input can be read only once, but a command may connect several times. */
const known = new Map<string, string>();

/** `-` is standard input. As an argument every user of the machine could see the secret. */
export function readSecretFile(file: string): string {
  try {
    const secret = known.get(file) ?? readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8').trim();
    known.set(file, secret);
    return secret;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(`the file of the secret cannot be read: ${reason}`, { cause });
  }
}
