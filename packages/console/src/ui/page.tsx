import { type ReactNode, useEffect, useRef } from 'react';
import { type Search, usePlace } from '../places.tsx';
import { Link } from './link.tsx';
import { Loaded } from './states.tsx';

/** The filters and the place with which each page was left, for the way back to it. */
const lists = new Map<string, Search>();

export function forgetLists(): void {
  lists.clear();
}

type Back = { readonly to: string; readonly label: string };

export function Page(props: {
  /** Also of the tab, unless `heading` is given. */
  readonly title: string;
  readonly heading?: ReactNode;
  readonly back?: Back;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, heading, back, actions, children } = props;
  const h1 = useRef<HTMLHeadingElement>(null);
  const { path, search } = usePlace();
  useEffect(() => {
    lists.set(path, search);
  }, [path, search]);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · Keyport`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page
  useEffect(() => {
    // A dialog that was opened while the page was loading keeps the focus.
    if (document.activeElement?.closest('[role="dialog"]') == null)
      h1.current?.focus({ preventScroll: !isFirst.current });
    isFirst.current = false;
  }, [path]);
  return (
    <article className="page">
      <header className="page-head">
        {back === undefined ? null : (
          <Link className="back" to={back.to} search={lists.get(back.to) ?? {}}>
            ‹ {back.label}
          </Link>
        )}
        <h1 ref={h1} tabIndex={-1}>
          {heading ?? title}
        </h1>
        <div className="page-actions">{actions}</div>
      </header>
      {children}
    </article>
  );
}

/** A page about one thing, which is still loading or may not exist. */
export function ThingPage<Thing>(props: {
  readonly query: Parameters<typeof Loaded<Thing>>[0]['query'];
  readonly missing: string;
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
    <Page
      title={name}
      back={back}
      heading={
        <>
          {name} {thing && mark?.(thing)}
        </>
      }
      actions={thing && actions?.(thing)}
    >
      <Loaded query={query} missing={missing}>
        {children}
      </Loaded>
    </Page>
  );
}

/** Values by their names; null: left out. As pairs, a name can be there twice. */
export type FactsOf = Readonly<Record<string, ReactNode>> | readonly (readonly [string, ReactNode])[];

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Facts(props: {
  /** Title of the section that holds them. */
  readonly title?: string;
  readonly facts: FactsOf;
}) {
  const { title, facts } = props;
  const pairs = Array.isArray(facts) ? facts : Object.entries(facts);
  const list = (
    <dl className="facts">
      {pairs.map(([name, value], index) =>
        value === null ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their places
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
  return title === undefined ? list : <Section title={title}>{list}</Section>;
}
