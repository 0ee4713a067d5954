/** Loads nodemailer only if SMTP is configured. */
import type { Config } from '../config.ts';

export type Mailer = {
  /** Rejects with the server's error, and when `closing` aborts. */
  send(mail: Mail, closing: AbortSignal): Promise<void>;
};

type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same when a mail is sent again. */
  readonly id: string;
};

const CONNECT_TIMEOUT_MS = 10_000;
/** A mail that the server takes longer to accept is sent again, with the same id. Shorter than the lease. */
const SENDING_MAX_MS = 30_000;

export async function openMailer({
  smtpUrl,
  mailFrom,
  mode,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'mode'>): Promise<Mailer | undefined> {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Sign-in links must not travel in the clear.
    requireTLS: !secure && mode === 'live' && !isThisMachine(host),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SENDING_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = mailFrom.replace(/^.*@|>$/g, '');
  return {
    async send({ to, subject, text, id }, closing) {
      const late = AbortSignal.timeout(SENDING_MAX_MS);
      try {
        await transport.sendMail({
          from: mailFrom,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([closing, late]),
        });
      } catch (error) {
        if (!late.aborted) throw error;
        throw new Error(`The mail server took longer than ${SENDING_MAX_MS / 1000} s.`, { cause: error });
      }
    },
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
