import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

/** Teal, dark enough at 7 that white text on it keeps the contrast that WCAG 2.2 AA asks for (4.5 : 1). */
const lynx: MantineColorsTuple = [
  '#ecfaf8',
  '#d9f2ee',
  '#afe5dc',
  '#81d7c9',
  '#5bccb9',
  '#43c5af',
  '#14a08c',
  '#0f766e',
  '#0b5f59',
  '#064a45',
];

/** Mantine's, but dark enough at 7 that white text on it, and it on white, keep the same contrast. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#c92a2a',
  '#b02525',
  '#971f1f',
];

export const theme = createTheme({
  primaryColor: 'lynx',
  colors: { lynx, red },
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // On a phone they stay one row, which is moved by a finger.
    Tabs: {
      styles: {
        list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden', scrollbarWidth: 'none' },
        tab: { flexShrink: 0 },
      },
    },
  },
});

/** Mantine's own grey for lesser text has a contrast of 3.3 : 1, that of placeholders 2.1 : 1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#68717a',
    // Items of menus are written in it.
    '--mantine-color-red-6': red[7],
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': '#9b9b9b',
    '--mantine-color-red-6': red[4],
  },
});

/** The same name as in public/color-scheme.js, which reads it before the first paint. */
export const colorScheme = localStorageColorSchemeManager({ key: 'lynceus-color-scheme' });
