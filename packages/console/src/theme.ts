/** Mantine's theme, with enough contrast in light and dark mode. style.css has the other colors. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: MONOSPACE,
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  // The only color that does not indicate a status: #3b5bdb in light mode.
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 3 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: { Button: { defaultProps: { size: 'xs', variant: 'default' } } },
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '16px', lineHeight: '24px' } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-anchor': 'var(--mantine-primary-color-filled)' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1a1b1e',
    '--mantine-color-dimmed': '#5c6369',
    '--mantine-color-placeholder': '#5c6369',
    '--mantine-color-error': '#a81e1e',
    '--mantine-color-default-border': '#7b848d',
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
