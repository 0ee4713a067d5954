/** Another operator than the one that tests act as. */
import type { Harness } from './harness.ts';

/** The token of a program with this role. */
export async function operatorClient(h: Harness, operatorRole = 'admin'): Promise<string> {
  const { clientId, clientSecret } = await h.operate('POST', '/clients', { name: 'Robot', operatorRole });
  return h.tokenFor(clientId, clientSecret);
}
