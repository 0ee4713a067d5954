/** The driver's parser decides which addresses of a database are valid, and reads the certificates that they name. */
import { parse } from 'pg-connection-string';

const SSL_PARAMETERS: Readonly<Record<string, RegExp | undefined>> = {
  ssl: /^(?:true|1|0|no-verify)$/,
  sslmode: /^(?:disable|prefer|require|verify-ca|verify-full|no-verify)$/,
  sslnegotiation: /^(?:postgres|direct)$/,
  sslcert: /./,
  sslkey: /./,
  sslrootcert: /./,
};

const VALUES: Readonly<Record<string, string>> = {
  ssl: 'true, 1, 0 or no-verify',
  sslmode: 'disable, no-verify, prefer, require, verify-ca or verify-full',
  sslnegotiation: 'postgres or direct',
};

export const ENCODING =
  'In user and password, encode # as %23, / as %2F, ? as %3F, @ as %40, : as %3A and % as %25';
const EXPECTED = `must be a URL such as postgres://user:password@db.example:5432/keyport. ${ENCODING}`;

export function parseDatabaseUrl(text: string): { readonly value: string } | { readonly error: string } {
  if (!/^(?:postgres(?:ql)?:\/\/|socket:|\/)/i.test(text)) return { error: EXPECTED };
  const value = withoutAlias(text.replace(/(\/[^/?#]+)\/+$/, '$1'));
  const query = new URLSearchParams(/\?(.*)$/s.exec(value)?.[1] ?? '');
  for (const [name, chosen] of query) {
    if (!/^ssl/i.test(name)) continue;
    const form = SSL_PARAMETERS[name];
    if (form === undefined)
      return {
        error: `has the unknown parameter ${name}; known are ${Object.keys(SSL_PARAMETERS).join(', ')}`,
      };
    if (!form.test(chosen)) return { error: `must have ${VALUES[name] ?? 'the path of a file'} as ${name}` };
  }
  try {
    parse(value);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return { error: EXPECTED };
    const path = 'path' in error ? ` ${String(error.path)}` : '';
    return { error: `names the certificate file${path}, which cannot be read (${String(error.code)})` };
  }
  return isCutShort(value) ? { error: EXPECTED } : { value };
}

/**
 * The driver treats these modes as verify-full, and prints nine lines of warning for each of them unless the URL selects
 * libpq's meaning.
 */
function withoutAlias(text: string): string {
  if (text.includes('uselibpqcompat=true')) return text;
  return text.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, 'verify-full');
}

/** A character of the password that is not encoded ended the user, the host or the path. */
function isCutShort(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol === 'socket:') return false;
  const isAfterPath = [...url.searchParams].some(([name]) => name.includes('@'));
  return url.hash !== '' || (url.username === '' && (url.pathname.includes('@') || isAfterPath));
}
