/** The running nodes, their lag, and the invariants. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { LOCALE, texts } from '../texts.ts';
import { Facts, Section } from '../ui/page.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Badge, ShortId, Time } from '../ui/values.tsx';
import { Invariants } from './invariants.tsx';
import { SystemShell } from './system-tabs.tsx';

type System = OperatorAnswer<'getSystem'>;

const LIVE_MS = 10_000;
/** Longer than this is worth a look. */
const LAG_SECONDS = 30;

export function useSystem() {
  return useLive(['system'], (client, signal) => client.getSystem({}, { signal }), { everyMs: LIVE_MS });
}

export function SystemPage() {
  const result = useSystem();
  const { data: system, error } = result;
  return (
    <SystemShell>
      {error === null ? null : <Failure error={error} retry={() => void result.refetch()} />}
      {system === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <div className="columns">
            <Section title={texts.system.service}>
              <Service system={system} />
            </Section>
            <Section title={texts.system.lag}>
              <Lag system={system} />
            </Section>
          </div>
          <Invariants verification={system.lastVerification} />
          <Section title={texts.system.nodes}>
            <DataTable
              label={texts.system.nodes}
              columns={NODES}
              query={result}
              rows={system.nodes}
              rowKey={({ id }) => id}
              empty={null}
            />
          </Section>
          <Section title={texts.system.masterKeys}>
            <DataTable
              label={texts.system.masterKeys}
              columns={masterKeys(system.masterKeys.runningNodes)}
              query={result}
              rows={system.masterKeys.keys}
              rowKey={({ id }) => id}
              empty={null}
            />
            {system.masterKeys.unnamed === 0 ? null : (
              <p className="hint">{texts.system.unnamed(system.masterKeys.unnamed)}</p>
            )}
          </Section>
        </>
      )}
    </SystemShell>
  );
}

function Service({ system }: { readonly system: System }) {
  const words = texts.system;
  const { version, mode, publicUrl, database } = system;
  return (
    <Facts
      facts={{
        [words.version]: version,
        [words.mode]: texts.header[mode],
        [words.publicUrl]: publicUrl,
        [words.database]: words.databaseKinds[database.kind](database.version),
        [words.migrations]: database.migrations.length,
      }}
    />
  );
}

function Lag({ system: { lag } }: { readonly system: System }) {
  const words = texts.system;
  const shown = (seconds: number | null) => {
    if (seconds === null) return words.unknown;
    const text = words.seconds(seconds);
    return seconds > LAG_SECONDS ? <Badge look={['warn', 'alert']}>{text}</Badge> : text;
  };
  return (
    <Facts
      facts={{
        [words.lags.catalogueSeconds]: shown(lag.catalogueSeconds),
        [words.lags.eventsSeconds]: shown(lag.eventsSeconds),
        [words.lags.webhooksSeconds]: shown(lag.webhooksSeconds),
        [words.lags.auditSeconds]: shown(lag.auditSeconds),
        [words.lags.archiveSeconds]: shown(lag.archiveSeconds),
      }}
    />
  );
}

const NODES: readonly Column<System['nodes'][number]>[] = [
  { title: texts.system.node, render: ({ id }) => <ShortId id={id} what={texts.system.node} /> },
  { title: texts.system.version, render: ({ version }) => version },
  { title: texts.common.started, render: ({ startedAt }) => <Time at={startedAt} />, look: 'right' },
  {
    title: texts.common.lastSeen,
    render: ({ seenAt }) => <Time at={seenAt} />,
    look: 'right minor',
  },
];

type MasterKey = System['masterKeys']['keys'][number];

function masterKeys(nodes: number): readonly Column<MasterKey>[] {
  return [
    { title: texts.system.masterKey, render: ({ id }) => <code>{id}</code> },
    {
      title: texts.common.status,
      render: ({ isCurrent, isInFile }) => (
        <Badge look={isCurrent ? ['good', 'check'] : isInFile ? ['neutral', 'key'] : ['bad', 'alert']}>
          {isCurrent ? texts.system.current : isInFile ? texts.system.earlier : texts.system.notInFile}
        </Badge>
      ),
    },
    { title: texts.system.wrapped, render: ({ wrapped }) => wrapped.toLocaleString(LOCALE), look: 'right' },
    { title: texts.system.heldBy, render: (key) => texts.system.ofNodes(key.nodes, nodes), look: 'right' },
  ];
}
