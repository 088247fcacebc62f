import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router';
import { styleNonce } from '../service/place.js';
import { createQueries } from '../service/queries.js';
import { createRoutes } from './routes.js';
import { colorScheme, theme, variables } from './theme.js';

export function App() {
  const [queries] = useState(createQueries);
  const [routes] = useState(createRoutes);
  const { t } = useTranslation();
  // A notification has a button without a word on it.
  const closeButtonProps = { 'aria-label': t('kit.close') };
  const [named] = useState(() =>
    mergeThemeOverrides(theme, { components: { Notification: { defaultProps: { closeButtonProps } } } }),
  );
  return (
    <MantineProvider
      theme={named}
      cssVariablesResolver={variables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queries}>
        <ModalsProvider>
          <Notifications position="top-right" />
          <RouterProvider router={routes} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
