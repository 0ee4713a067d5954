/** The sign-in above the page: the session has ended, or a write needs a fresh proof. */
import { Button, Modal } from '@mantine/core';
import { cancelProof, type Session } from '../api/session.ts';
import { SignIn } from './sign-in.tsx';

export function SignInAgain(props: {
  readonly isProving: boolean;
  readonly onSignedIn: (session: Session) => void;
  readonly email: string;
}) {
  const { isProving, onSignedIn, email } = props;
  return (
    <Modal.Root opened onClose={isProving ? cancelProof : () => {}} centered zIndex={1000}>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{isProving ? 'Sign in again' : 'Sign in'}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <p>
            {isProving
              ? 'You signed in more than 5 minutes ago. A new password or passkey needs a new sign-in; then your change continues. If you have no password or passkey yet, ask an administrator for a new link.'
              : 'Your session has ended. Sign in to continue. Your entries are kept.'}
          </p>
          <SignIn onSignedIn={onSignedIn} email={email} />
          {isProving ? (
            <Button size="sm" variant="subtle" fullWidth onClick={cancelProof}>
              Cancel
            </Button>
          ) : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
