import { Group, Text } from '@mantine/core';
import mark from '../icon.svg';
import { common } from '../texts.ts';

/** The icons, drawn on a 24 by 24 grid in the style of Lucide. Each has a text or a label beside it. */
const PATHS = {
  home: 'M3 11l9-8 9 8M5 9.5V20h5v-6h4v6h5V9.5',
  orders: 'M4 4h16v16l-3-2-2.5 2-2.5-2-2.5 2L7 18l-3 2zM8 9h8M8 13h5',
  held: 'M8 5v14M16 5v14',
  claims: 'M4 4h16v12h-8l-5 4v-4H4zM12 7v4M12 13.5h.01',
  accounts: 'M4 21V6l8-3 8 3v15M2 21h20M9 10h1M14 10h1M9 14h1M14 14h1M10 21v-3h4v3',
  catalogue: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  imports: 'M12 3v12M7 10l5 5 5-5M4 17v4h16v-4',
  finance: 'M4 20V10M10 20V4M16 20v-8M22 20H2',
  reports: 'M3 3v18h18M7 15l4-5 3 3 6-8',
  payments: 'M2 6h20v13H2zM2 10h20M6 15h4',
  approvals: 'M9 12l2.5 2.5L16 9.5M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  webhooks: 'M4 12h10M10 7l5 5-5 5M19 4v16',
  audit: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h6M9 16h6',
  system: 'M3 4h18v7H3zM3 13h18v7H3zM7 7.5h.01M7 16.5h.01',
  bell: 'M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  columns: 'M4 4h16v16H4zM9.5 4v16M14.5 4v16',
  filter: 'M3 5h18M6.5 12h11M10 19h4',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 4-6 8-6s8 2 8 6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 4l1.5 1.5M18.5 18.5L20 20M2 12h2M20 12h2M4 20l1.5-1.5M18.5 5.5L20 4',
  moon: 'M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z',
  screen: 'M3 4h18v12H3zM8 20h8M12 16v4',
  keyboard: 'M2 6h20v12H2zM6 10h.01M10 10h.01M14 10h.01M18 10h.01M8 14h8',
  leave: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  minus: 'M5 12h14',
  play: 'M7 5l11 7-11 7z',
  alert: 'M12 4L2.5 20h19zM12 10v4M12 17h.01',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  key: 'M8 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 13l9-9M17 7l2.5 2.5M14 10l2 2',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Brand({ mode }: { readonly mode: 'sandbox' | 'live' | undefined }) {
  return (
    <Group component="span">
      <img src={mark} alt="" width={24} height={24} />
      <Text span fw={650} visibleFrom="sm">
        {common.brand}
      </Text>
      {mode === undefined ? null : (
        <Text
          span
          className="mode"
          size="xs"
          px={8}
          bdrs={10}
          c={mode === 'live' ? 'var(--good)' : 'var(--warn)'}
          bg={mode === 'live' ? 'var(--good-tint)' : 'var(--warn-tint)'}
        >
          {common.modes[mode]}
        </Text>
      )}
    </Group>
  );
}
