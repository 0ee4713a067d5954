import { createHmac } from 'node:crypto';

export const SECRET_SIZE_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

export function writeSecret(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString('base64');
}

export type SignedMessage = {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
};

export function signatureHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  secrets: readonly Buffer[],
): Record<string, string> {
  const signed = `${id}.${timestampSeconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
