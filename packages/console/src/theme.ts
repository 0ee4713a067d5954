/** Mantine's theme: type, colors with enough contrast in light and dark mode, and what components have in common. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** The typefaces are part of the build, so that the look does not depend on the machine's typefaces. */
const FONT = 'Inter, system-ui, sans-serif';
const MONOSPACE = '"JetBrains Mono", ui-monospace, Menlo, Consolas, monospace';

const TITLE = { fontSize: 15, fontWeight: 600, lineHeight: 1.3, overflowWrap: 'anywhere' };

const pair = (light: string, dark: string) => `light-dark(${light}, ${dark})`;

export const theme = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: MONOSPACE,
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '22px', xl: '28px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  // The only color that does not indicate a status: #3b5bdb in light mode.
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 3 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Without their modules, which the first screen does not need.
  components: {
    ActionIcon: {
      defaultProps: { variant: 'transparent', size: 24 },
      styles: { root: { verticalAlign: 'middle' } },
      vars: (_: unknown, { variant }: { readonly variant: string }) => ({
        root: variant === 'transparent' ? { '--ai-color': 'var(--muted)' } : {},
      }),
    },
    // The color of an alert is `warn` or `bad`.
    Alert: {
      defaultProps: { mb: 16 },
      vars: (_: unknown, { color }: { readonly color: string }) => ({
        root: { '--alert-bg': `var(--${color}-tint)`, '--alert-color': `var(--${color})` },
      }),
      styles: { message: { color: 'inherit' }, root: { color: 'var(--alert-color)' } },
    },
    Button: {
      defaultProps: { size: 'xs', variant: 'default', fw: 550 },
      vars: (_: unknown, { variant, color }: Readonly<Record<'variant' | 'color', string>>) => ({
        root: {
          ...(variant === 'subtle' && {
            '--button-color': 'var(--accent)',
            '--button-hover': 'var(--hover)',
          }),
          ...(variant === 'filled' && { '--button-color': pair('#ffffff', '#141414') }),
          ...(color === 'bad' && {
            '--button-bg': pair('#c92a2a', '#ff9f9f'),
            '--button-hover': pair('#b02525', '#ffb3b3'),
          }),
        },
      }),
    },
    Drawer: { styles: { title: TITLE, header: { gap: 16 } } },
    Group: { defaultProps: { gap: 'sm' } },
    InputWrapper: { styles: { label: { fontSize: 13, fontWeight: 500, marginBottom: 2 } } },
    Menu: { defaultProps: { shadow: 'md' } },
    Modal: { styles: { title: TITLE, header: { gap: 16 } } },
    Popover: { defaultProps: { shadow: 'md' } },
    SimpleGrid: { defaultProps: { spacing: 32, verticalSpacing: 0, autoFlow: 'auto-fit' } },
    Stack: { defaultProps: { gap: 14 } },
  },
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '15px', lineHeight: '22px' } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-anchor': 'var(--mantine-primary-color-filled)',
    '--panel': pair('#f8f9fa', '#2e2e2e'),
    '--hover': pair('#f1f3f5', '#333333'),
    '--selected': pair('#e8edff', '#2b3358'),
    '--line': pair('#e3e6e9', '#3a3d41'),
    '--muted': 'var(--mantine-color-dimmed)',
    '--control': 'var(--mantine-color-default-border)',
    '--accent': 'var(--mantine-primary-color-filled)',
    '--neutral': pair('#495057', '#ced4da'),
    '--neutral-tint': pair('#e9ecef', '#3a3d41'),
    '--info': pair('#1557a0', '#8ec5ff'),
    '--info-tint': pair('#dcecff', '#17324d'),
    '--warn': pair('#7a4300', '#ffd166'),
    '--warn-tint': pair('#ffefb8', '#453411'),
    '--good': pair('#1f6130', '#7ddc93'),
    '--good-tint': pair('#d8f5dd', '#1b3a24'),
    '--bad': pair('#a81e1e', '#ff9f9f'),
    '--bad-tint': pair('#ffe3e3', '#4a1f1f'),
    '--done': pair('#5a35b0', '#c3b0ff'),
    '--done-tint': pair('#ece5ff', '#352a57'),
    '--edge': '1px solid var(--line)',
    '--button-line': pair('#cdd3d9', '#55595e'),
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1a1b1e',
    '--mantine-color-dimmed': '#5c6369',
    '--mantine-color-placeholder': '#5c6369',
    '--mantine-color-error': '#a81e1e',
    '--mantine-color-default-border': '#868f98',
    '--mantine-color-disabled-color': '#5c6369',
  },
  dark: {
    '--mantine-color-indigo-3': '#9db4ff',
    '--mantine-color-body': '#242424',
    '--mantine-color-text': '#e3e3e3',
    '--mantine-color-dimmed': '#a6a6a6',
    '--mantine-color-placeholder': '#a6a6a6',
    '--mantine-color-error': '#ff9f9f',
    '--mantine-color-default-border': '#8a8a8a',
    '--mantine-color-disabled-color': '#a6a6a6',
  },
});
