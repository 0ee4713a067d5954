/** The sign-in dialog above the page, if the session has ended or a write needs a new sign-in. */
import { Button, Modal } from '@mantine/core';
import { IS_PORTAL } from '../api/place.ts';
import { cancelProof, hasWayIn, type Session, toPerson } from '../api/session.ts';
import { useSignInMethods } from '../api/sign-in-methods.ts';
import { common } from '../texts.ts';
import { SignIn } from './sign-in.tsx';
import { texts } from './texts.ts';
import '../mantine-more.css';

export function SignInAgain(props: {
  readonly isProving: boolean;
  readonly onSignedIn: (session: Session) => void;
  readonly session: Session;
}) {
  const { isProving, onSignedIn, session } = props;
  const methods = useSignInMethods();
  const isByLink = isProving && !hasWayIn(session) && methods?.oidc === null;
  return (
    <Modal.Root opened onClose={isProving ? cancelProof : () => {}} centered zIndex={1000}>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{isProving ? texts.signIn.proveTitle : texts.signIn.title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          {isByLink ? (
            <p>{texts.signIn.proveByLink(IS_PORTAL)}</p>
          ) : (
            <>
              <p>{isProving ? texts.signIn.prove : texts.signIn.again}</p>
              <SignIn onSignedIn={onSignedIn} email={toPerson(session).email} />
            </>
          )}
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
