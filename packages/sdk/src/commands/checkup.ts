import type { Check, Checkup } from '../generated/reseller-contract.ts';
import { printable } from './output.ts';
import type { Session } from './session.ts';

const MARKS: Readonly<Record<Check['status'], string>> = { passed: '✓', failed: '✗', 'not-seen': '·' };

/** Throws CommandFailure. */
export async function checkup(session: Session, since: string | undefined): Promise<Checkup> {
  const { keyport, signal, explain } = session;
  return keyport.sandbox.checkup({ since }, { signal }).catch((error: unknown) => {
    throw explain(error);
  });
}

export function hasFailed({ checks }: Checkup): boolean {
  return checks.some(({ status }) => status === 'failed');
}

export function formatCheckup({ checks, score, seen, requests }: Checkup): string {
  const lines = checks.flatMap(({ status, title, howTo, evidence = [], doc }) => [
    `${MARKS[status]} ${title}`,
    ...evidence.map(({ at, request, key, note }) => {
      const which = key === undefined ? request : `${request}, key ${key}`;
      return printable(`    ${at}  ${which}: ${note}`);
    }),
    ...(status === 'passed' ? [] : [`    ${howTo.replaceAll('`', '')}`]),
    ...(status === 'failed' ? [`    ${doc}`] : []),
  ]);
  const share = `${seen} of ${checks.length} checks seen; ${score} % of these passed, in ${requests} requests.`;
  return `${lines.join('\n')}\n\n${share} · not seen yet`;
}
