import { PasswordBody, PasswordChangeBody } from '@keyport/contract/operators/people';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Route } from '@keyport/http/server/exchange';
import { bodyReader, type SignInDeps, sessionRoute, signIn, signInRoute } from '../sessions/sign-in.ts';
import { changePassword, findByPassword, provePassword } from './change-password.ts';

const WRONG = 'The email address or the password is wrong.';

export function passwordRoutes(deps: SignInDeps): Route[] {
  const readPassword = bodyReader(PasswordBody);
  const readChange = bodyReader(PasswordChangeBody);
  return [
    signInRoute(deps, 'password', async (exchange) => {
      const person = await findByPassword(deps, exchange, await readPassword(exchange));
      if (person === undefined) throw new ApiError('unauthorized', { message: WRONG });
      return signIn(deps, exchange, { method: 'password', prove: provePassword(person), rejection: WRONG });
    }),
    sessionRoute(deps, 'PUT', '/profile/password', async (exchange, session) => {
      await changePassword(deps, exchange, session, await readChange(exchange));
      return { status: 204 };
    }),
  ];
}
