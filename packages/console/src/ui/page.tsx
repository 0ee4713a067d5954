import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Alert, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isMissing } from '../api/queries.ts';
import { leftAt, usePlace } from '../places.tsx';
import { common, isolated } from '../texts.ts';
import { Icon, type IconName } from './icons.tsx';
import { CopyButton, Isolated, Link } from './values.tsx';
import { toMessage } from './wording.ts';

type Back = { readonly to: string; readonly label: string };

export function Page(props: {
  /** Title of the browser tab; also the heading, unless `heading` is given. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** The state, as badges beside the heading. */
  readonly mark?: ReactNode;
  readonly back?: Back;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, heading, mark, back, actions, children } = props;
  const h1 = useRef<HTMLDivElement>(null);
  const { path } = usePlace();
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${isolated(title)} · ${common.brand}`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page
  useEffect(() => {
    // A dialog that was opened while the page was loading keeps the focus.
    if (document.activeElement?.closest('[role="dialog"]') == null)
      h1.current?.focus({ preventScroll: !isFirst.current });
    isFirst.current = false;
  }, [path]);
  return (
    <article>
      <Group component="header" gap="8px 12px" mih={32} mb={16}>
        {back === undefined ? null : (
          <Link className="back" to={back.to} search={leftAt(back.to)?.search} top={leftAt(back.to)?.top}>
            ‹ {back.label}
          </Link>
        )}
        <Group component="h1" gap={10} m={0} ref={h1} tabIndex={-1}>
          <Isolated>{heading ?? title}</Isolated>
          {mark === undefined ? null : <span className="marks">{mark}</span>}
        </Group>
        <Group className="page-actions" ml={{ base: 0, sm: 'auto' }}>
          {actions}
        </Group>
      </Group>
      {children}
    </article>
  );
}

/** A page about one thing, which may still be loading or may not exist. */
export function ThingPage<Thing>(props: {
  readonly query: Parameters<typeof Loaded<Thing>>[0]['query'];
  readonly missing: keyof typeof common.notFound;
  readonly back: Back;
  readonly title: (thing: NonNullable<Thing> | undefined) => string;
  readonly mark?: (thing: NonNullable<Thing>) => ReactNode;
  readonly actions?: (thing: NonNullable<Thing>) => ReactNode;
  readonly children: (thing: NonNullable<Thing>) => ReactNode;
}) {
  const { query, missing, back, title, mark, actions, children } = props;
  const thing = query.data ?? undefined;
  const name = title(thing);
  return (
    <Page title={name} back={back} mark={thing && mark?.(thing)} actions={thing && actions?.(thing)}>
      <Loaded query={query} missing={missing}>
        {children}
      </Loaded>
    </Page>
  );
}

/** A page about one thing. Its actions and facts stay in sight beside it, because people look for them first. */
export function Columns(props: {
  readonly actions?: ReactNode;
  readonly beside: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="columns">
      <div>
        <div>
          <Group className="page-actions">{props.actions}</Group>
          <div>{props.beside}</div>
        </div>
        <div>{props.children}</div>
      </div>
    </div>
  );
}

/** Values by name; null values are left out. As pairs, names may repeat. */
export type FactsOf = Readonly<Record<string, ReactNode>> | readonly (readonly [string, ReactNode])[];

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Box component="section" mb={24} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </Box>
  );
}

/** A text of a person. Without a text there is no section. */
export function Said({ title, text }: { readonly title: string; readonly text: string | null | undefined }) {
  if (text === undefined || text === null || text.trim() === '') return null;
  return (
    <Section title={title}>
      <Text maw="80ch" className="wraps" style={{ whiteSpace: 'pre-line' }}>
        <Isolated>{text}</Isolated>
      </Text>
    </Section>
  );
}

export function Facts(props: {
  /** Title of the section around the facts. */
  readonly title?: string;
  readonly facts: FactsOf;
  /** The last value is what the others add up to. */
  readonly isSum?: boolean;
}) {
  const { title, facts, isSum = false } = props;
  const pairs = Array.isArray(facts) ? facts : Object.entries(facts);
  const list = (
    <dl className={isSum ? 'facts sum' : 'facts'}>
      {pairs.map(([name, value], index) =>
        // A row without a value says nothing.
        value === null || value === '–' || value === '' ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their places
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              <Isolated>{value}</Isolated>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
  return title === undefined ? list : <Section title={title}>{list}</Section>;
}

/** Data that arrives sooner needs no skeleton. */
const SKELETON_AFTER_MS = 150;

const BARS = ['40%', '30%', '35%', '25%'];

/** The height is that of the rows, because what follows should hardly move. */
export function Loading({ rows = 8 }: { readonly rows?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return <div className="loading" />;
  return (
    <Box className="loading" mih={rows * 36} role="status" aria-label={common.loading}>
      {BARS.slice(0, rows).map((width) => (
        <Skeleton key={width} height={12} width={width} opacity={0.6} mb={16} />
      ))}
    </Box>
  );
}

export function Empty(props: {
  readonly icon: IconName;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  const { icon, children, action } = props;
  return (
    <Stack align="center" gap={8} px={16} py={56} c="dimmed" ta="center">
      <Icon name={icon} size={28} />
      <p>{children}</p>
      {action}
    </Stack>
  );
}

/** The loaded data, or why it is missing. `missing` names the kind of thing that may not exist. */
export function Loaded<T>(props: {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  readonly missing?: keyof typeof common.notFound;
  readonly rows?: number;
  readonly children: (data: NonNullable<T>) => ReactNode;
}) {
  const { query, missing, rows = 8, children } = props;
  const { data, error } = query;
  if (data !== undefined && data !== null) return children(data);
  if (missing !== undefined && (data === null || isMissing(error)))
    return <Empty icon="search">{common.notFound[missing]}</Empty>;
  return error === null ? <Loading rows={rows} /> : <Failure error={error} retry={query.refetch} />;
}

export function Warning(props: {
  readonly icon: IconName;
  readonly role?: 'alert';
  readonly children: string;
}) {
  const { icon, ...shown } = props;
  return <Alert color="warn" icon={<Icon name={icon} />} {...shown} />;
}

/** A question that the service rejected as wrong would be wrong again. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  const isWrong = error instanceof KeyportError && error.status === 400;
  return (
    <Alert color="bad" role="alert" icon={<Icon name="alert" size={20} />} title={common.failed}>
      <p>{toMessage(error)}</p>
      {isWrong ? null : <TraceId error={error} />}
      {retry === undefined || isWrong ? null : <Button onClick={() => void retry()}>{common.retry}</Button>}
    </Alert>
  );
}

/** State of work that a button starts. */
export function useWork() {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (work: () => Promise<unknown>) => {
    setRunning(true);
    setError(undefined);
    await work().catch(setError);
    setRunning(false);
  };
  return { isRunning, error, run };
}

export function InlineFailure({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  return (
    <Text span c="var(--bad)" role="alert">
      {toMessage(error)}
    </Text>
  );
}

export function TraceId({ error }: { readonly error: unknown }) {
  if (!(error instanceof KeyportError) || error.traceId === undefined) return null;
  return (
    <Text size="xs">
      {common.traceId} <code>{error.traceId}</code> <CopyButton text={error.traceId} what={common.traceId} />
    </Text>
  );
}
