import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router';
import { styleNonce } from '../service/place.js';
import { createQueries } from '../service/queries.js';
import { nameTheme } from './named-theme.js';
import { createRoutes } from './routes.js';
import { colorScheme, variables } from './theme.js';

export function App() {
  const [queries] = useState(createQueries);
  const [routes] = useState(createRoutes);
  const { t } = useTranslation();
  const named = useMemo(() => nameTheme(t), [t]);
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
