import { mergeThemeOverrides } from '@mantine/core';
import type { TFunction } from 'i18next';
import { theme } from './theme.js';

/**
 * The theme, with a name for every button that has only an icon. Components are named by their words alone, so
 * that the first page loads no others than its own.
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
      // A menu begins at its first item: what else takes the focus in it is no part of a menu.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    },
  });
}
