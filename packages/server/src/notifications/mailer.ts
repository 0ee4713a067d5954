/** Sends mail by SMTP. The library is loaded only if a server is configured. */
import type { Config } from '../config.ts';

export type Mailer = {
  /** Rejects with what the server said. */
  send(mail: Mail): Promise<void>;
};

type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Equal for a mail that is sent again. */
  readonly id: string;
};

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_MAX_MS = 20_000;
/** Shorter than the lease of what is sent. */
const SENDING_MAX_MS = 60_000;

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
    // Links that sign in must not travel in the clear.
    requireTLS: !secure && mode === 'live' && !isThisMachine(host),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = mailFrom.replace(/^.*@|>$/g, '');
  return {
    async send({ to, subject, text, id }) {
      const sent = transport.sendMail({
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        const error = new Error(`The mail server took longer than ${SENDING_MAX_MS / 1000} s.`);
        timer = setTimeout(() => reject(error), SENDING_MAX_MS);
      });
      await Promise.race([sent, late]).finally(() => clearTimeout(timer));
    },
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
