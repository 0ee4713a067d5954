import type { SignInMethods } from '@keyport/contract/operators/people';
import { useQuery } from '@tanstack/react-query';
import { sendSession } from './session.ts';

export function useSignInMethods(): SignInMethods | undefined {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => sendSession<SignInMethods>('GET', 'sign-in-methods'),
  });
  return data;
}
