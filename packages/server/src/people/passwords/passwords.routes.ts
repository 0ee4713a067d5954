import { PasswordBody, PasswordChangeBody } from '@keyport/contract/operators/people';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Route } from '@keyport/http/server/exchange';
import { bodyReader, SESSION_PATH, type SignInDeps, signIn } from '../sessions/sign-in.ts';
import { changePassword, findByPassword, provePassword } from './change-password.ts';

const WRONG = 'The e-mail address or the password is wrong.';

export function passwordRoutes(deps: SignInDeps): Route[] {
  const { sessions } = deps;
  const readPassword = bodyReader(PasswordBody);
  const readChange = bodyReader(PasswordChangeBody);
  return [
    {
      method: 'POST',
      path: `${SESSION_PATH}/password`,
      async handle(exchange) {
        sessions.requireOwnOrigin(exchange.request);
        const person = await findByPassword(deps, exchange, await readPassword(exchange));
        if (person === undefined) throw new ApiError('unauthorized', { message: WRONG });
        return signIn(deps, exchange, { method: 'password', prove: provePassword(person), rejection: WRONG });
      },
    },
    {
      method: 'PUT',
      path: '/console/profile/password',
      async handle(exchange) {
        const session = await sessions.require(exchange.request);
        await changePassword(deps, exchange, session, await readChange(exchange));
        return { status: 204 };
      },
    },
  ];
}
