import { Badge, ShortId } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Client = {
  readonly clientId: string;
  readonly disabledAt: string | null;
  readonly allowedAddresses: readonly string[];
};

export const CLIENT_CELLS = {
  clientId: ({ clientId }: Client) => <ShortId id={clientId} shown={clientId} what={texts.clients.id} />,
  disabledAt: ({ disabledAt }: Client) =>
    disabledAt === null ? (
      <Badge look={['good', 'check']}>{texts.clients.enabled}</Badge>
    ) : (
      <Badge look={['neutral', 'cross']}>{texts.clients.disabled}</Badge>
    ),
  access: texts.clients.access,
  allowedAddresses: ({ allowedAddresses }: Client) =>
    allowedAddresses.length === 0 ? texts.clients.everywhere : allowedAddresses.join(', '),
};
