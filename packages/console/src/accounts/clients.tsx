import { Button, Group } from '@mantine/core';
import { CLIENT_CELLS } from '../account-parts/client-cells.tsx';
import { texts as partTexts } from '../account-parts/texts.ts';
import { useMay } from '../api/session.ts';
import { openDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { Empty } from '../ui/page.tsx';
import type { Account, AccountClient } from './account-data.tsx';
import { texts } from './texts.ts';

type Credentials = { readonly clientId: string; readonly clientSecret: string };

export function Clients({ account }: { readonly account: Account }) {
  const may = useMay('administer');
  const list = useList('listClients', { params: { accountId: account.id }, isNumbered: true });
  const create = (
    <Button onClick={() => openDialog(<NewClientDialog account={account} />)}>{texts.clients.new}…</Button>
  );
  return (
    <>
      {may && (list.rows?.length ?? 0) > 0 ? <Group mb={12}>{create}</Group> : null}
      <List
        list={list}
        isLabelled
        label={texts.clients.title}
        columns={may ? [...COLUMNS, ACTIONS] : COLUMNS}
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

const COLUMNS = toColumns('listClients', CLIENT_CELLS);

const ACTIONS = actionsColumn<AccountClient>((client) =>
  Object.entries(toDialogs(client)).map(([name, dialog]) => {
    const label = texts.clients.labels[name as keyof ReturnType<typeof toDialogs>];
    return { label, name: texts.clients.actionOn(label, client.clientId), run: () => openDialog(dialog) };
  }),
);

function toDialogs({ clientId, disabledAt, access, liveSecrets, allowedAddresses }: AccountClient) {
  const { newSecret, secondSecret, thirdSecret, enable, disable, full, readOnly } = texts.clients;
  const { addresses } = partTexts.clients;
  const shared = { params: { clientId }, of: clientId };
  if (disabledAt !== null) return { enable: <Operate operation="enableClient" {...shared} {...enable} /> };
  return {
    newSecret: (
      <Operate
        operation="createClientSecret"
        {...shared}
        {...newSecret}
        says={liveSecrets > 1 ? thirdSecret : secondSecret}
        isDangerous={liveSecrets > 1}
        onDone={showCredentials}
      />
    ),
    addresses: <Operate operation="updateClient" {...shared} {...addresses} values={{ allowedAddresses }} />,
    ...(access === 'read-only'
      ? { full: <Operate operation="updateClient" body={{ access: 'full' }} {...shared} {...full} /> }
      : {
          readOnly: (
            <Operate operation="updateClient" body={{ access: 'read-only' }} {...shared} {...readOnly} />
          ),
        }),
    disable: <Operate operation="disableClient" {...shared} {...disable} />,
  };
}

function showCredentials({ data: { clientId, clientSecret } }: { readonly data: Credentials }): void {
  openDialog(
    <SecretDialog
      title={texts.clients.credentials}
      values={{ [partTexts.clients.id]: clientId, [partTexts.clients.secret]: clientSecret }}
      variables={{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }}
    />,
  );
}

function NewClientDialog({ account }: { readonly account: Account }) {
  return (
    <Operate
      operation="createClient"
      params={{ accountId: account.id }}
      title={texts.clients.newTitle(account.name)}
      submit={texts.clients.create}
      onDone={showCredentials}
    />
  );
}
