import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  mergeThemeOverrides,
} from '@mantine/core';
import type { TFunction } from 'i18next';

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

/** Titles contain names of any length; the button beside them must stay visible. */
const titleOfWindow = { minWidth: 0, lineHeight: 1.4, overflowWrap: 'anywhere' } as const;

const theme = createTheme({
  primaryColor: 'lynx',
  colors: { lynx, red },
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    Modal: { styles: { title: titleOfWindow } },
    Drawer: { styles: { title: titleOfWindow } },
    // On a phone they stay one row that scrolls.
    Tabs: {
      styles: {
        list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden', scrollbarWidth: 'none' },
        tab: { flexShrink: 0 },
      },
    },
  },
});

/** Mantine's grey for dimmed text has a contrast of 3.3 : 1, that for placeholders 2.1 : 1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#68717a',
    // The text colour of menu items.
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

/**
 * The theme, with a name for every button that has only an icon. Components are identified by their names, so
 * that the start page loads only its own components.
 */
export function nameTheme(t: TFunction) {
  const close = { defaultProps: { closeButtonProps: { 'aria-label': t('kit.close') } } };
  const clear = { defaultProps: { clearButtonProps: { 'aria-label': t('kit.clear') } } };
  return mergeThemeOverrides(theme, {
    components: {
      Notification: close,
      Modal: close,
      Drawer: close,
      FileInput: clear,
      Select: clear,
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('kit.showTyped') } } },
      // A menu focuses its first item: the focus placeholder is no menu item.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    },
  });
}
