import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { type Owner, onEnd } from './database.ts';

export const CLIENT = { id: 'keyport', secret: 'a-secret-of-the-provider-and-keyport' };

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns 503 until `register` is called. `host`: a different name makes it a different site for browsers.
 */
export async function startOidcProvider(owner: Owner, host = '127.0.0.1') {
  const people = new Map<string, { readonly userinfo: Claims; readonly idToken: Claims }>();
  let changeToken = (idToken: string) => idToken;
  let provider: Provider | undefined;
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    if (provider === undefined) response.writeHead(503).end();
    else provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(owner, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  const issuer = `http://${host}:${address.port}`;
  return {
    issuer,
    requests: () => requestCount,
    know(login: string, userinfo: Claims, idToken: Claims = {}): void {
      people.set(login, { userinfo, idToken });
    },
    /** Simulates an attacker who changes the ID tokens on the way to the service. */
    tamper(change: (idToken: string) => string): void {
      changeToken = change;
    },
    register(redirectUri: string): void {
      provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
        pkce: { required: () => true },
        claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        cookies: { keys: ['a key of the provider'] },
        conformIdTokenClaims: false,
        findAccount: (_, id) => ({
          accountId: id,
          claims: (use) => ({ sub: id, ...people.get(id)?.[use === 'id_token' ? 'idToken' : 'userinfo'] }),
        }),
      });
      provider.use(async ({ response }: { response: { body: unknown } }, next: () => Promise<void>) => {
        await next();
        const { body } = response;
        if (typeof body !== 'object' || body === null || !('id_token' in body)) return;
        response.body = { ...body, id_token: changeToken(String(body.id_token)) };
      });
    },
  };
}

type Visit = { readonly url: string; readonly status: number; readonly setCookie: string };

/**
 * Keeps the cookies of both sides, follows redirects until `isEnd`, and fills in the forms of the provider.
 */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /**
   * Goes from the service to the provider, signs in as `login` and returns. Resolves with all visits in
   * order.
   */
  async signIn(startUrl: string, login: string, isEnd: (url: string) => boolean): Promise<Visit[]> {
    const visits: Visit[] = [];
    let next: { url: string; form?: URLSearchParams } = { url: startUrl };
    for (let step = 0; step < 20; step += 1) {
      const { url } = next;
      const response = await this.#request(url, next.form);
      visits.push({ url, status: response.status, setCookie: response.headers.get('set-cookie') ?? '' });
      const location = response.headers.get('location');
      if (location !== null) {
        const target = new URL(location, url).href;
        if (isEnd(target)) return [...visits, { url: target, status: 0, setCookie: '' }];
        next = { url: target };
      } else {
        const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1];
        if (prompt === undefined) return visits;
        next = { url, form: new URLSearchParams({ prompt, login, password: 'any' }) };
      }
    }
    throw new Error('the redirects do not end');
  }

  async #request(url: string, form: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}
