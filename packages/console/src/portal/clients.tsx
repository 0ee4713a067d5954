import { CLIENT_CELLS } from '../account-parts/client-cells.tsx';
import { texts as shared } from '../account-parts/texts.ts';
import { type Answer, useRead } from '../api/queries.ts';
import { openDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { Empty, Page } from '../ui/page.tsx';
import { texts } from './texts.ts';

type Client = Answer<'listOwnClients'>[number];

const words = texts.clients;

const COLUMNS = [
  ...toColumns<'listClients', Client>('listClients', CLIENT_CELLS),
  actionsColumn<Client>(({ clientId, allowedAddresses, disabledAt, liveSecrets }) => {
    if (disabledAt !== null) return [];
    const of = { params: { clientId }, of: clientId };
    const toAction = (label: string, dialog: Parameters<typeof openDialog>[0]) => ({
      label,
      name: `${label}: ${clientId}`,
      run: () => openDialog(dialog),
    });
    return [
      toAction(
        words.labels.rotate,
        <Operate
          operation="rotateOwnClientSecret"
          {...of}
          title={words.rotate.title}
          submit={words.rotate.submit}
          says={liveSecrets > 1 ? words.rotate.saysEnds : words.rotate.says}
          values={{ overlapHours: 24 }}
          onDone={({ data: { clientSecret } }) => showCredentials(clientId, clientSecret)}
        />,
      ),
      toAction(
        words.labels.addresses,
        <Operate
          operation="updateOwnClient"
          {...of}
          {...shared.clients.addresses}
          values={{ allowedAddresses }}
        />,
      ),
    ];
  }),
];

export function Clients() {
  const result = useRead('listOwnClients', {}, { everyMs: 15_000 });
  return (
    <Page title={common.navigation.clients}>
      <p>{words.says}</p>
      <DataTable
        isLabelled
        label={common.navigation.clients}
        columns={COLUMNS}
        query={result}
        rows={result.data}
        rowKey={({ clientId }) => clientId}
        empty={<Empty icon="key">{words.empty}</Empty>}
      />
    </Page>
  );
}

function showCredentials(clientId: string, clientSecret: string): void {
  openDialog(
    <SecretDialog
      title={words.rotated}
      values={{ [shared.clients.id]: clientId, [shared.clients.secret]: clientSecret }}
      variables={{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }}
    />,
  );
}
