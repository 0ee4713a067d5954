export type RequestOptions = {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Received = { readonly status: number; readonly headers: Headers; readonly text: string };

export async function sendRequest(
  baseUrl: string,
  method: string,
  path: string,
  { token, body, headers }: RequestOptions = {},
): Promise<Received> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
