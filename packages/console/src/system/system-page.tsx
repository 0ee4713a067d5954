import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import type { ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { common, formatCount } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Columns, Facts, type FactsOf, Failure, Loaded, Page, Section } from '../ui/page.tsx';
import { Badge, Link, ShortId } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { Invariants } from './invariants.tsx';
import { texts } from './texts.ts';

type System = OperatorAnswer<'getSystem'>;

const words = texts.system;
/** A longer lag is highlighted. */
const LAG_SECONDS = 30;

export function useSystem() {
  return useRead('getSystem', {}, { everyMs: 10_000 });
}

/** The heading and tabs of the system's pages. */
export function SystemShell(props: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { tabs } = words;
  return (
    <Page title={common.navigation.system} actions={props.actions}>
      <nav className="tabs" aria-label={tabs.label}>
        <Link to={paths.system} isExact>
          {tabs.state}
        </Link>
        <Link to={paths.incidents}>{common.incidents}</Link>
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
          <Columns
            beside={
              <>
                <Facts title={words.service} facts={toService(system)} />
                <Facts title={words.lag} facts={computeLag(system)} />
              </>
            }
          >
            <Invariants verification={system.lastVerification} />
            <Section title={words.nodes}>
              <DataTable
                label={words.nodes}
                columns={NODES}
                query={result}
                rows={system.nodes}
                rowKey={({ id }) => id}
                empty={null}
              />
            </Section>
            <Section title={words.masterKeys}>
              <DataTable
                label={words.masterKeys}
                columns={masterKeys(system.masterKeys.runningNodes)}
                query={result}
                rows={system.masterKeys.keys}
                rowKey={({ id }) => id}
                empty={null}
              />
              {system.masterKeys.unnamed === 0 ? null : (
                <Hint>{words.unnamed(system.masterKeys.unnamed)}</Hint>
              )}
            </Section>
          </Columns>
        )}
      </Loaded>
    </SystemShell>
  );
}

function toService({ version, mode, publicUrl, database }: System): FactsOf {
  return {
    [words.version]: version,
    [words.mode]: common.modes[mode],
    [words.publicUrl]: publicUrl,
    [words.database]: words.databaseKinds[database.kind](database.version),
    [words.migrations]: database.migrations.length,
  };
}

function computeLag({ lag }: System): FactsOf {
  const names = Object.keys(words.lags) as (keyof typeof words.lags)[];
  return names.map((name): readonly [string, ReactNode] => {
    const seconds = lag[name];
    const text = seconds === null ? words.unknown : words.seconds(seconds);
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
  { title: words.node, render: ({ id }) => <ShortId id={id} what={words.node} /> },
  { title: words.version, render: ({ version }) => version },
  { title: common.started, time: 'startedAt', look: 'right' },
  { title: words.lastSeen, time: 'seenAt', look: 'right minor' },
];

type MasterKey = System['masterKeys']['keys'][number];

function masterKeys(nodes: number): readonly Column<MasterKey>[] {
  return [
    { title: words.masterKey, render: ({ id }) => <code>{id}</code> },
    {
      title: common.status,
      render: ({ isCurrent, isInFile }) => (
        <Badge look={isCurrent ? ['good', 'check'] : isInFile ? ['neutral', 'key'] : ['bad', 'alert']}>
          {isCurrent ? words.current : isInFile ? words.earlier : words.notInFile}
        </Badge>
      ),
    },
    { title: words.wrapped, render: ({ wrapped }) => formatCount(wrapped), look: 'right' },
    { title: words.heldBy, render: (key) => words.ofNodes(key.nodes, nodes), look: 'right' },
  ];
}
