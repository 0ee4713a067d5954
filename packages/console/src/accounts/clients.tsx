import { Button, Textarea, TextInput } from '@mantine/core';
import { admin } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { openDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { common } from '../texts.ts';
import { Empty } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, ShortId } from '../ui/values.tsx';
import type { Account, AccountClient } from './account-data.tsx';
import { texts } from './texts.ts';

type SwitchName = 'enable' | 'disable' | 'readOnly' | 'full';
type ActionName = 'secret' | 'addresses' | SwitchName;
type Credentials = { readonly clientId: string; readonly clientSecret: string };

export function Clients({ account }: { readonly account: Account }) {
  const may = useMay('administer');
  const list = useList('listClients', { params: { accountId: account.id }, isNumbered: true });
  const create = (
    <Button onClick={() => openDialog(<NewClientDialog account={account} />)}>{texts.clients.new}…</Button>
  );
  const act = (name: ActionName, client: AccountClient) =>
    openDialog(
      name === 'secret' ? (
        <NewSecretDialog client={client} />
      ) : name === 'addresses' ? (
        <AddressesDialog client={client} />
      ) : (
        <SwitchDialog name={name} client={client} />
      ),
    );
  return (
    <>
      {may && (list.rows?.length ?? 0) > 0 ? <div className="filters">{create}</div> : null}
      <List
        list={list}
        isLabelled
        label={texts.clients.title}
        columns={may ? [...COLUMNS, toActions(act)] : COLUMNS}
        rowKey={({ clientId }) => clientId}
        icon="key"
        none={texts.clients.empty}
        empty={
          <Empty icon="key" action={may ? create : null}>
            {texts.clients.empty}
          </Empty>
        }
      />
    </>
  );
}

const COLUMNS = toColumns('listClients', {
  clientId: ({ clientId }) => <ShortId id={clientId} shown={clientId} what={texts.clients.id} />,
  disabledAt: ({ disabledAt }) =>
    disabledAt === null ? (
      <Badge look={['good', 'check']}>{texts.clients.enabled}</Badge>
    ) : (
      <Badge look={['neutral', 'cross']}>{texts.clients.disabled}</Badge>
    ),
  access: texts.clients.access,
  allowedAddresses: ({ allowedAddresses }) =>
    allowedAddresses.length === 0 ? texts.clients.everywhere : allowedAddresses.join(', '),
});

function toActions(act: (name: ActionName, client: AccountClient) => void) {
  return actionsColumn<AccountClient>((client) =>
    namesFor(client).map((name) => ({
      label: texts.clients.actions[name],
      name: texts.clients.actionOn(texts.clients.actions[name], client.clientId),
      run: () => act(name, client),
    })),
  );
}

function namesFor({ disabledAt, access }: AccountClient): readonly ActionName[] {
  if (disabledAt !== null) return ['enable'];
  return ['secret', 'addresses', access === 'read-only' ? 'full' : 'readOnly', 'disable'];
}

type DialogProps = { readonly client: AccountClient };

function showCredentials({ data: { clientId, clientSecret } }: { readonly data: Credentials }): void {
  openDialog(
    <SecretDialog
      title={texts.clients.credentials}
      values={{ [texts.clients.id]: clientId, [texts.clients.secret]: clientSecret }}
      variables={{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }}
    />,
  );
}

function NewClientDialog({ account }: { readonly account: Account }) {
  return (
    <ActionDialog
      title={texts.clients.newTitle(account.name)}
      form={`client:${account.id}`}
      initial={{ name: '' }}
      fields={({ bind }) => (
        <TextInput
          label={common.name}
          description={texts.clients.nameHint}
          data-autofocus
          maxLength={500}
          {...bind('name')}
        />
      )}
      submit={texts.clients.create}
      run={({ name }, options) => {
        const body = name.trim() === '' ? {} : { name: name.trim() };
        return admin.createClient({ params: { accountId: account.id }, body }, options);
      }}
      onDone={showCredentials}
    />
  );
}

function NewSecretDialog({ client }: DialogProps) {
  const { clientId, liveSecrets } = client;
  return (
    <ActionDialog
      title={texts.clients.secretTitle(clientId)}
      form={`secret:${clientId}`}
      showPreview={() => (liveSecrets > 1 ? texts.clients.thirdSecret : texts.clients.secondSecret)}
      isDangerous={liveSecrets > 1}
      submit={texts.clients.createSecret}
      run={(_, options) => admin.createClientSecret({ params: { clientId } }, options)}
      onDone={showCredentials}
    />
  );
}

function AddressesDialog({ client: { clientId, allowedAddresses } }: DialogProps) {
  return (
    <ActionDialog
      title={texts.clients.addressesTitle(clientId)}
      form={`addresses:${clientId}`}
      initial={{ allowedAddresses: allowedAddresses.join('\n') }}
      fields={({ bind }) => (
        <Textarea
          label={texts.clients.addresses}
          description={texts.clients.addressesHint}
          data-autofocus
          autosize
          minRows={3}
          {...bind('allowedAddresses')}
        />
      )}
      submit={texts.clients.saveAddresses}
      run={(draft, options) => {
        const list = draft.allowedAddresses.split(/[\s,]+/).filter((address) => address !== '');
        return admin.updateClient({ params: { clientId }, body: { allowedAddresses: list } }, options);
      }}
      onDone={() => toast(texts.clients.addressesSaved)}
    />
  );
}

function SwitchDialog(props: DialogProps & { readonly name: SwitchName }) {
  const { name, client } = props;
  const { clientId } = client;
  const { title, says, submit, done } = texts.clients.switches[name];
  return (
    <ActionDialog
      title={title(clientId)}
      form={`${name}:${clientId}`}
      showPreview={() => says}
      isDangerous={name === 'disable'}
      submit={submit}
      run={(_, options) => {
        const params = { clientId };
        if (name === 'enable' || name === 'disable') return admin.call(`${name}Client`, { params }, options);
        const access = name === 'full' ? 'full' : 'read-only';
        return admin.updateClient({ params, body: { access } }, options);
      }}
      onDone={() => toast(done)}
    />
  );
}
