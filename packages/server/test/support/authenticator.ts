import { equal } from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { ApiResponse, Harness } from './harness.ts';
import type { Person } from './person.ts';

const USER_PRESENT_AND_VERIFIED = 0b0000_0101;
const HAS_CREDENTIAL = 0b0100_0000;

type Page = { readonly origin: string; readonly rpId: string };

export function createAuthenticator(page: Page, { flags = USER_PRESENT_AND_VERIFIED } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;

  function toData(withFlags: number, more: Buffer = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(withFlags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(page.rpId), head, more]);
  }

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: page.origin, crossOrigin: false }));
  const envelope = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    create(challenge: string) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, toCose(publicKey)]);
      const authData = Uint8Array.from(toData(flags | HAS_CREDENTIAL, credential));
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        ...envelope,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: encode(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get(challenge: string) {
      counter += 1;
      const authenticatorData = toData(flags);
      const data = clientData('webauthn.get', challenge);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      return {
        ...envelope,
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

/** Encodes an ES256 key (RFC 9053). */
function toCose(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return encode(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  );
}

function encode(value: Map<string | number, unknown>): Buffer {
  return Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]));
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

type Authenticator = ReturnType<typeof createAuthenticator>;

export function passkeyPages(h: Harness, app: '/console' | '/portal' = '/console') {
  const passkeysPath = `${app}/profile/passkeys`;
  const url = `http://localhost:${new URL(h.url).port}`;
  const page = { origin: url, rpId: 'localhost' };
  const send = (path: string, body: unknown = {}): Promise<ApiResponse> =>
    h.callAt(url, 'POST', `${app}/session/${path}`, { body, headers: { origin: url } });
  const options = (person: Person) => person.call('POST', `${passkeysPath}/options`, { url, body: {} });
  return {
    url,
    page,
    send,
    options,
    async add(person: Person, device = createAuthenticator(page), name = 'Laptop') {
      const given = await options(person);
      equal(given.status, 200, JSON.stringify(given.body));
      const body = { ...device.create(given.body.data.challenge), name };
      const response = await person.call('POST', passkeysPath, { url, body });
      return { device, options: given.body.data, body, response };
    },
    async signIn(device: Authenticator): Promise<ApiResponse> {
      const { challenge } = (await send('passkey/options')).body.data;
      return send('passkey', device.get(challenge));
    },
  };
}
