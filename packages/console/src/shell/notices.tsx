import { createTheme, MantineThemeProvider, Notification } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Notices in a corner of the window. */
export function Notices() {
  const { t } = useTranslation();
  // Every notice has this button.
  const named = useMemo(() => {
    const closeButtonProps = { 'aria-label': t('kit.close') };
    return createTheme({
      components: { Notification: Notification.extend({ defaultProps: { closeButtonProps } }) },
    });
  }, [t]);
  return (
    <MantineThemeProvider inherit theme={named}>
      <Notifications position="top-right" />
    </MantineThemeProvider>
  );
}
