/** The programs of an account: their secrets are shown once. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { actionsColumn } from '../ui/row-actions.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { Empty } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, CopyButton, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import type { Account, AccountClient } from './account-data.ts';

type ActionName = 'secret' | 'addresses' | 'enable' | 'disable';
type Open = { readonly name: ActionName; readonly client: AccountClient } | 'new';
type Credentials = { readonly clientId: string; readonly clientSecret: string };

export function Clients({ account }: { readonly account: Account }) {
  const { search } = useUrl();
  const may = useMay('administer');
  const [open, setOpen] = useState<Open>();
  const [credentials, setCredentials] = useState<Credentials>();
  const query = { page: search['page'] === undefined ? undefined : Number(search['page']), itemsPerPage: 50 };
  const result = useLive(['clients', account.id, query], (client, signal) =>
    client.listClients({ params: { accountId: account.id }, query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  const close = () => setOpen(undefined);
  const create = (
    <Button size="xs" variant="default" onClick={() => setOpen('new')}>
      {texts.clients.new}…
    </Button>
  );
  const columns = may ? [...COLUMNS, actionsOf((name, client) => setOpen({ name, client }))] : COLUMNS;
  const hasClients = (result.data?.data.length ?? 0) > 0;
  return (
    <>
      {may && hasClients ? <div className="filters">{create}</div> : null}
      <DataTable
        isLabelled
        label={texts.clients.title}
        columns={columns}
        query={result}
        rows={result.data?.data}
        rowKey={({ clientId }) => clientId}
        pager={pager}
        empty={
          <Empty icon="key" action={may ? create : null}>
            {texts.clients.empty}
          </Empty>
        }
      />
      {open === undefined ? null : open === 'new' ? (
        <NewClientDialog account={account} onClose={close} onSecret={setCredentials} />
      ) : open.name === 'secret' ? (
        <NewSecretDialog client={open.client} onClose={close} onSecret={setCredentials} />
      ) : open.name === 'addresses' ? (
        <AddressesDialog client={open.client} onClose={close} />
      ) : (
        <SwitchDialog name={open.name} client={open.client} onClose={close} />
      )}
      {credentials === undefined ? null : (
        <SecretDialog
          title={texts.clients.credentials}
          values={[
            [texts.clients.id, credentials.clientId],
            [texts.clients.secret, credentials.clientSecret],
          ]}
          onClose={() => setCredentials(undefined)}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<AccountClient>[] = [
  {
    title: texts.clients.id,
    render: ({ clientId }) => (
      <span className="short-id">
        <code>{clientId}</code>
        <CopyButton text={clientId} what={texts.clients.id} />
      </span>
    ),
  },
  { title: texts.clients.name, render: ({ name }) => name ?? '–' },
  {
    title: texts.clients.status,
    render: ({ disabledAt }) =>
      disabledAt === null ? (
        <Badge tone="good" icon="check">
          {texts.clients.enabled}
        </Badge>
      ) : (
        <Badge tone="neutral" icon="cross">
          {texts.clients.disabled}
        </Badge>
      ),
  },
  {
    title: texts.clients.secrets,
    render: ({ liveSecrets }) => liveSecrets,
    isRight: true,
    isMinor: true,
  },
  {
    title: texts.clients.addresses,
    render: ({ allowedAddresses }) =>
      allowedAddresses.length === 0 ? texts.clients.everywhere : allowedAddresses.join(', '),
    isMinor: true,
  },
  { title: texts.clients.created, render: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
];

function actionsOf(act: (name: ActionName, client: AccountClient) => void) {
  return actionsColumn<AccountClient>((client) =>
    (client.disabledAt === null ? (['secret', 'addresses', 'disable'] as const) : (['enable'] as const)).map(
      (name) => ({
        label: texts.clients.actions[name],
        name: texts.clients.actionOn(texts.clients.actions[name], client.clientId),
        run: () => act(name, client),
      }),
    ),
  );
}

type DialogProps = { readonly client: AccountClient; readonly onClose: () => void };
type SecretProps = { readonly onClose: () => void; readonly onSecret: (credentials: Credentials) => void };

function NewClientDialog({ account, onClose, onSecret }: SecretProps & { readonly account: Account }) {
  return (
    <ActionDialog<{ readonly name: string }, never>
      onClose={onClose}
      title={texts.clients.newTitle(account.name)}
      form={`client:${account.id}`}
      initial={{ name: '' }}
      hasReason={false}
      fields={({ name }, change, errors) => (
        <TextInput
          label={texts.clients.name}
          name="name"
          description={texts.clients.nameHint}
          data-autofocus
          maxLength={500}
          value={name}
          error={errors['name']}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      )}
      submit={() => texts.clients.create}
      run={({ name }, { client, idempotencyKey }) => {
        const body = name.trim() === '' ? {} : { name: name.trim() };
        return client
          .createClient({ params: { accountId: account.id }, body }, { idempotencyKey })
          .withResponse();
      }}
      onDone={({ data }) => onSecret(data as Credentials)}
    />
  );
}

function NewSecretDialog({
  client: { clientId, liveSecrets },
  onClose,
  onSecret,
}: DialogProps & SecretProps) {
  return (
    <ActionDialog
      onClose={onClose}
      title={texts.clients.secretTitle(clientId)}
      form={`secret:${clientId}`}
      hasReason={false}
      showPreview={() => (liveSecrets > 1 ? texts.clients.thirdSecret : texts.clients.secondSecret)}
      isDangerous={liveSecrets > 1}
      submit={() => texts.clients.createSecret}
      run={(_, { client, idempotencyKey }) =>
        client.createClientSecret({ params: { clientId } }, { idempotencyKey }).withResponse()
      }
      onDone={({ data }) => onSecret(data as Credentials)}
    />
  );
}

function AddressesDialog({ client: { clientId, allowedAddresses }, onClose }: DialogProps) {
  return (
    <ActionDialog<{ readonly text: string }, never>
      onClose={onClose}
      title={texts.clients.addressesTitle(clientId)}
      form={`addresses:${clientId}`}
      initial={{ text: allowedAddresses.join('\n') }}
      hasReason={false}
      fields={({ text }, change, errors) => (
        <Textarea
          label={texts.clients.addresses}
          data-field="allowedAddresses"
          description={texts.clients.addressesHint}
          data-autofocus
          autosize
          minRows={3}
          value={text}
          error={errors['allowedAddresses']}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      )}
      submit={() => texts.clients.saveAddresses}
      run={({ text }, { client, idempotencyKey }) => {
        const list = text.split(/[\s,]+/).filter((address) => address !== '');
        const body = { allowedAddresses: list };
        return client.updateClient({ params: { clientId }, body }, { idempotencyKey }).withResponse();
      }}
      onDone={() => toast(texts.clients.addressesSaved)}
    />
  );
}

function SwitchDialog({
  name,
  client: { clientId },
  onClose,
}: DialogProps & { readonly name: 'enable' | 'disable' }) {
  const { title, says, submit, done } = texts.clients.switches[name];
  const operation = name === 'enable' ? 'enableClient' : 'disableClient';
  return (
    <ActionDialog
      onClose={onClose}
      title={title(clientId)}
      form={`${name}:${clientId}`}
      hasReason={false}
      showPreview={() => says}
      isDangerous={name === 'disable'}
      submit={() => submit}
      run={(_, { client, idempotencyKey }) =>
        client.call(operation, { params: { clientId } }, { idempotencyKey }).withResponse()
      }
      onDone={() => toast(done)}
    />
  );
}
