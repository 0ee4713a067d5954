/** Keeps the mails that it receives, or rejects them as a test decides. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type Owner, onEnd } from './database.ts';

type ReceivedMail = { readonly to: readonly string[]; readonly source: string; readonly text: string };

export async function startMailServer(owner: Owner) {
  const received: ReceivedMail[] = [];
  let rejection: string | undefined;
  let onSilence: (() => void) | undefined;
  const hanging = new Map<string, () => void>();
  const withoutResponse: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === 'pass/word' ? callback(null, { user: username }) : callback(new Error('Invalid login')),
    onRcptTo({ address }, _session, callback) {
      const onHanging = hanging.get(address);
      if (onHanging === undefined) return callback();
      withoutResponse.push(callback);
      onHanging();
    },
    async onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      if (onSilence !== undefined) return onSilence();
      if (rejection !== undefined) return callback(new Error(rejection));
      const source = Buffer.concat(chunks).toString('utf8');
      received.push({ to: envelope.rcptTo.map(({ address }) => address), source, text: decode(source) });
      callback();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(owner, () => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://keyport:pass%2Fword@127.0.0.1:${port}`,
    received,
    /** Resolves at the first mail; mails get no response until `reject` is called. */
    fallSilent: () =>
      new Promise<void>((resolve) => {
        onSilence = resolve;
      }),
    /** Resolves when a mail to this address is being sent, which gets no response until `endHanging`. */
    hangFor: (address: string) =>
      new Promise<void>((resolve) => {
        hanging.set(address, resolve);
      }),
    endHanging() {
      hanging.clear();
      for (const respond of withoutResponse.splice(0)) respond();
    },
    refuseConnections: () => new Promise<void>((resolve) => server.server.close(() => resolve())),
    acceptConnections: () => new Promise<void>((resolve) => server.server.listen(port, '127.0.0.1', resolve)),
    /** Rejects mails from now on; accepts them if `reason` is undefined. */
    reject(reason: string | undefined) {
      rejection = reason;
      onSilence = undefined;
    },
  };
}

/** Decodes quoted-printable text. */
function decode(source: string): string {
  const bytes = source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
