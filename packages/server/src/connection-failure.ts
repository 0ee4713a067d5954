/** Why a connection from the service to another one failed, in words that its operator or a reseller can act on. */
import { getSystemErrorName } from 'node:util';

const CLOSED = 'The connection was closed before the response arrived';
const NO_NAME = 'The name of the host does not exist, or has no address';
const NAME_SERVER = 'The name servers did not respond with an address of the host; this may be temporary';
const CONNECTING = 'Timed out while connecting';
const NOT_ROUTED = 'There is no route to the address of the host';
const NOT_TLS =
  'The TLS handshake failed: the port may not speak TLS, or offers only outdated versions of it';
const UNKNOWN_ISSUER =
  'The certificate is from an authority that the service does not know, or the server leaves out an intermediate certificate';
const SELF_SIGNED = 'The certificate is self-signed; use one from a public authority';

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The host refused the connection: nothing listens on this port',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ECONNABORTED: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ENOTFOUND: NO_NAME,
  ENODATA: NO_NAME,
  EAI_AGAIN: NAME_SERVER,
  ESERVFAIL: NAME_SERVER,
  EREFUSED: NAME_SERVER,
  ETIMEOUT: NAME_SERVER,
  ETIMEDOUT: CONNECTING,
  ESOCKETTIMEDOUT: CONNECTING,
  UND_ERR_CONNECT_TIMEOUT: CONNECTING,
  EHOSTUNREACH: NOT_ROUTED,
  EHOSTDOWN: NOT_ROUTED,
  ENETUNREACH: NOT_ROUTED,
  ENETDOWN: NOT_ROUTED,
  EADDRNOTAVAIL: NOT_ROUTED,
  EACCES: 'A firewall of the service does not allow this connection',
  EPERM: 'A firewall of the service does not allow this connection',
  EPROTO: NOT_TLS,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate could not be verified: the server must also send the intermediate certificates of its chain',
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  CERT_UNTRUSTED: UNKNOWN_ISSUER,
  INVALID_CA: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  CERT_REVOKED: 'The certificate was revoked',
  CERT_SIGNATURE_FAILURE: 'The signature of the certificate is wrong',
  UNSPECIFIED: 'The certificate was rejected, usually because its key or signature is too weak',
  CERT_CHAIN_TOO_LONG: UNKNOWN_ISSUER,
  PATH_LENGTH_EXCEEDED: UNKNOWN_ISSUER,
  INVALID_PURPOSE: 'The certificate is not one for servers',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for a different host name',
  HOSTNAME_MISMATCH: 'The certificate is for a different host name',
  HPE_INVALID_CONSTANT: 'The response is not valid HTTP',
};

/**
 * Node tries the addresses of a host one after the other, each for this long. Its default of 250 ms is shorter than many
 * a round trip with a lost packet.
 */
export const CONNECT_ATTEMPT_TIMEOUT_MS = 2_000;

/** One sentence, with the code of the error for those who search for it. */
export function describeConnectionFailure(error: unknown): string {
  const code = connectionErrorCode(error);
  return explainConnectionFailure(error) ?? `The connection failed${code === undefined ? '' : ` (${code})`}.`;
}

/** Undefined for an error of another kind. */
export function explainConnectionFailure(error: unknown): string | undefined {
  const code = connectionErrorCode(error);
  if (code === undefined) return undefined;
  const isTls = /^ERR_(?:O?SSL|TLS)_/.test(code);
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : isTls ? NOT_TLS : undefined;
  if (sentence === undefined) return undefined;
  return code.startsWith('UND_') ? `${sentence}.` : `${sentence} (${code}).`;
}

/** If several addresses failed, the code of the first. Looks at causes too: `fetch` wraps its errors. */
export function connectionErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError && error.errors.length > 0) return connectionErrorCode(error.errors[0]);
  // nodemailer replaces the code by one of its own.
  if ('errno' in error && typeof error.errno === 'number' && error.errno < 0)
    return getSystemErrorName(error.errno);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return connectionErrorCode(error.cause);
}
