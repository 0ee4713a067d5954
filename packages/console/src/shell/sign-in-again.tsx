/** The sign-in dialog above the page, if the session has ended or a write needs a new sign-in. */
import { Button, Modal } from '@mantine/core';
import { cancelProof, type Session } from '../api/session.ts';
import { common } from '../texts.ts';
import { SignIn } from './sign-in.tsx';
import { texts } from './texts.ts';
import '../mantine-more.css';

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
          <Modal.Title>{isProving ? texts.signIn.proveTitle : texts.signIn.title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <p>{isProving ? texts.signIn.prove : texts.signIn.again}</p>
          <SignIn onSignedIn={onSignedIn} email={email} />
          {isProving ? (
            <Button size="sm" variant="subtle" fullWidth onClick={cancelProof}>
              {common.cancel}
            </Button>
          ) : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
