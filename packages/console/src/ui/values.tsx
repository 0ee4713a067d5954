import { ActionIcon, Center, Group } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { openDialog } from '../forms/closing.tsx';
import { navigate, preload, type Search, toHref, usePlace } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common, DATE_LOCALE, formatMoney, LOCALE } from '../texts.ts';
import { paths } from '../url.ts';
import { Icon, type IconName } from './icons.tsx';

const CopyByHand = lazyPart(async () => (await import('../forms/copy-by-hand.tsx')).CopyByHand);

/** Cached by options, because creating a format takes the browser a millisecond. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function formatDate(date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(DATE_LOCALE, options);
  dateFormats.set(key, format);
  return format.format(date);
}

export function formatRoundMoney(amount: number): string {
  const options = { style: 'currency', currency: 'EUR', notation: 'compact' } as const;
  return amount.toLocaleString(LOCALE, { ...options, maximumFractionDigits: 1 });
}

export function Money({
  amount,
  currency,
}: {
  readonly amount: string;
  readonly currency?: string | undefined;
}) {
  return <span className="money">{formatMoney(amount, currency)}</span>;
}

const DAY_PARTS: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const CLOCK_PARTS: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** `22 Nov 09:41:07`, with the year if it is not the current one. */
export function formatTime(at: string, zone: string): string {
  const date = new Date(at);
  const toYear = (moment: Date) => formatDate(moment, { year: 'numeric', timeZone: zone });
  const year = toYear(date) === toYear(new Date()) ? {} : ({ year: 'numeric' } as const);
  const day = formatDate(date, { ...DAY_PARTS, ...year, timeZone: zone });
  return `${day} ${formatDate(date, { ...CLOCK_PARTS, second: '2-digit', timeZone: zone })}`;
}

/** `22 Nov`, for a day such as 2026-11-22. */
export function formatDay(day: string, more: Intl.DateTimeFormatOptions = {}): string {
  return formatDate(new Date(day), { ...DAY_PARTS, timeZone: 'UTC', ...more });
}

/** `09:41`, for times of the current day. */
export function formatClock(atMs: number, zone: string): string {
  return formatDate(new Date(atMs), { ...CLOCK_PARTS, timeZone: zone });
}

/** Text from data. Without isolation, a name in Arabic or Hebrew would reorder the text that follows it. */
export function Isolated({ children }: { readonly children: ReactNode }) {
  return typeof children === 'string' ? <bdi>{children}</bdi> : children;
}

export function Time({ at }: { readonly at: string }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace('Z', '')} UTC`}>
      <Isolated>{formatTime(at, zone)}</Isolated>
    </time>
  );
}

/** Only the style separates groups of four, so that the copied id has no spaces. */
export function OrderId({ id }: { readonly id: string }) {
  const groups = id.match(/.{1,4}/g) ?? [];
  return (
    <span className="order-id">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one id never move
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}

/** Shows the beginning of a long id, or `shown` instead; the button copies the whole id. */
export function ShortId(props: { readonly id: string; readonly what: string; readonly shown?: string }) {
  const { id, what, shown = id.slice(0, 8) } = props;
  return (
    <Group component="span" className="short-id" display="inline-flex" gap={2} wrap="nowrap">
      <code title={id}>{shown}</code>
      <CopyButton text={id} what={what} />
    </Group>
  );
}

type Copying = { readonly text: string; readonly what: string };

export function Copied({ text, what, isCode = false }: Copying & { readonly isCode?: boolean }) {
  return (
    <>
      {isCode ? <code>{text}</code> : <Isolated>{text}</Isolated>} <CopyButton text={text} what={what} />
    </>
  );
}

export function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return openDialog(<CopyByHand text={text} />);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return { isCopied, copy };
}

export function CopyButton({ text, what }: Copying) {
  const { isCopied, copy } = useCopy(text);
  return (
    <ActionIcon
      h={24}
      w="auto"
      miw={24}
      fz={12}
      aria-label={isCopied ? common.copied : common.copy(what)}
      onClick={copy}
    >
      {isCopied ? common.copied : <Icon name="copy" size={14} />}
    </ActionIcon>
  );
}

/** Returns false if the browser did not copy. Browsers offer no clipboard API to pages without HTTPS. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const [field, focused] = [document.createElement('textarea'), document.activeElement];
  field.value = text;
  // In an open dialog, since a dialog returns the focus from elements outside it.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

type Tone = 'neutral' | 'info' | 'warn' | 'good' | 'bad' | 'done';

const toColors = (tone: Tone) => ({ color: `var(--${tone})`, background: `var(--${tone}-tint)` });

export type Look = readonly [tone: Tone, icon: IconName];

/** Only what needs attention has a color: `good` and `neutral` are quiet text. */
export function Badge({ look: [tone, icon], children }: { readonly look: Look; readonly children: string }) {
  if (tone === 'good' || tone === 'neutral') return <span className={tone}>{children}</span>;
  return (
    <span className="badge" style={toColors(tone)}>
      <Icon name={icon} size={12} />
      {children}
    </span>
  );
}

/** The icon in a circle, before a line. */
export function Mark({ look: [tone, icon], size }: { readonly look: Look; readonly size: number }) {
  return (
    <Center component="span" className="mark" w={size} h={size} bdrs={size} style={toColors(tone)}>
      <Icon name={icon} size={size / 2 + 2} />
    </Center>
  );
}

export const STATUS_LOOKS = {
  pending: ['neutral', 'clock'],
  pending_payment: ['info', 'clock'],
  processing: ['info', 'play'],
  held: ['warn', 'held'],
  complete: ['good', 'check'],
  canceled: ['neutral', 'cross'],
  closed: ['done', 'undo'],
} as const satisfies Record<keyof typeof common.statuses, Look>;

export function OrderStatusBadge({ status }: { readonly status: keyof typeof STATUS_LOOKS }) {
  return <Badge look={STATUS_LOOKS[status]}>{common.statuses[status]}</Badge>;
}

/** How long the pointer must rest on a link before its page is preloaded. */
const INTENT_MS = 80;

export function Link(props: {
  readonly to: string;
  readonly search?: Search | undefined;
  readonly className?: string;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly rowKey?: string;
  /** Marked as current only on this page, not on pages below it. */
  readonly isExact?: boolean;
  /** For links that differ from the current page only in their search. */
  readonly isCurrent?: boolean;
  /** Where to scroll to; the top by default. */
  readonly top?: number | undefined;
  readonly children: ReactNode;
}) {
  const { to, search = {}, className, label, onClick, rowKey, isExact = false, top, children } = props;
  const { path } = usePlace();
  const isHere = path === to || (!isExact && to !== '/' && path.startsWith(`${to}/`));
  const { isCurrent = isHere } = props;
  const timer = useRef(0);
  const intend = () => {
    timer.current = window.setTimeout(() => preload(to), INTENT_MS);
  };
  const follow = (event: MouseEvent) => {
    onClick?.();
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate({ to, search, top });
  };
  return (
    <a
      href={toHref(to, search)}
      className={className}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      data-row-key={rowKey}
      onClick={follow}
      onPointerEnter={intend}
      onFocus={intend}
      onPointerLeave={() => clearTimeout(timer.current)}
    >
      <Isolated>{children}</Isolated>
    </a>
  );
}

export function OrderLink({ id }: { readonly id: string }) {
  return (
    <Link to={paths.order(id)}>
      <OrderId id={id} />
    </Link>
  );
}

export function OrdersLink({ query }: { readonly query: string }) {
  return (
    <Link to={paths.orders} search={{ query }}>
      {common.showOrders}
    </Link>
  );
}
