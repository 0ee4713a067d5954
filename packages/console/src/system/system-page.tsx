import type { OperatorAnswer } from '@keyport/sdk/admin';
import type { ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { formatCount, plural, texts } from '../texts.ts';
import { Facts, type FactsOf, Failure, Loaded, Page, Section } from '../ui/page.tsx';
import { Badge, Link, ShortId } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { Invariants } from './invariants.tsx';

type System = OperatorAnswer<'getSystem'>;

const words = texts.system;
/** Longer than this is worth a look. */
const LAG_SECONDS = 30;

export function useSystem() {
  return useRead('getSystem', {}, { everyMs: 10_000 });
}

/** The heading and tabs of the system's pages. */
export function SystemShell(props: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { tabs } = words;
  return (
    <Page title="System" actions={props.actions}>
      <nav className="tabs" aria-label={tabs.label}>
        <Link to={paths.system} isExact>
          {tabs.state}
        </Link>
        <Link to={paths.settings}>{tabs.settings}</Link>
        <Link to={paths.operators}>{tabs.operators}</Link>
      </nav>
      {props.children}
    </Page>
  );
}

export function SystemPage() {
  const result = useSystem();
  const { data: loaded, error, refetch } = result;
  return (
    <SystemShell>
      {loaded === undefined || error === null ? null : <Failure error={error} retry={() => void refetch()} />}
      <Loaded query={result}>
        {(system) => (
          <>
            <div className="columns">
              <Facts title="Service" facts={serviceOf(system)} />
              <Facts title="Lag" facts={lagOf(system)} />
            </div>
            <Invariants verification={system.lastVerification} />
            <Section title="Nodes">
              <DataTable
                label="Nodes"
                columns={NODES}
                query={result}
                rows={system.nodes}
                rowKey={({ id }) => id}
                empty={null}
              />
            </Section>
            <Section title="Master keys">
              <DataTable
                label="Master keys"
                columns={masterKeys(system.masterKeys.runningNodes)}
                query={result}
                rows={system.masterKeys.keys}
                rowKey={({ id }) => id}
                empty={null}
              />
              {system.masterKeys.unnamed === 0 ? null : (
                <p className="hint">
                  {plural(system.masterKeys.unnamed, 'secret dates', 'secrets date')} from before master keys
                  had ids.
                </p>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </SystemShell>
  );
}

function serviceOf({ version, mode, publicUrl, database }: System): FactsOf {
  return {
    Version: version,
    Mode: texts.header[mode],
    'Public URL': publicUrl,
    Database: words.databaseKinds[database.kind](database.version),
    Migrations: database.migrations.length,
  };
}

function lagOf({ lag }: System): FactsOf {
  const names = Object.keys(words.lags) as (keyof typeof words.lags)[];
  return names.map((name): readonly [string, ReactNode] => {
    const seconds = lag[name];
    const text = seconds === null ? 'Unknown' : `${formatCount(seconds)} s`;
    const isLate = seconds !== null && seconds > LAG_SECONDS;
    return [
      words.lags[name],
      isLate ? (
        <Badge key={name} look={['warn', 'alert']}>
          {text}
        </Badge>
      ) : (
        text
      ),
    ];
  });
}

const NODES: readonly Column<System['nodes'][number]>[] = [
  { title: 'Node', render: ({ id }) => <ShortId id={id} what="Node" /> },
  { title: 'Version', render: ({ version }) => version },
  { title: 'Started', time: 'startedAt', look: 'right' },
  { title: 'Last seen', time: 'seenAt', look: 'right minor' },
];

type MasterKey = System['masterKeys']['keys'][number];

function masterKeys(nodes: number): readonly Column<MasterKey>[] {
  return [
    { title: 'Master key', render: ({ id }) => <code>{id}</code> },
    {
      title: 'Status',
      render: ({ isCurrent, isInFile }) => (
        <Badge look={isCurrent ? ['good', 'check'] : isInFile ? ['neutral', 'key'] : ['bad', 'alert']}>
          {isCurrent ? 'In use' : isInFile ? 'Earlier' : 'Not in the key file'}
        </Badge>
      ),
    },
    { title: 'Secrets under it', render: ({ wrapped }) => formatCount(wrapped), look: 'right' },
    { title: 'Held by', render: (key) => `${key.nodes} of ${plural(nodes, 'node')}`, look: 'right' },
  ];
}
