import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router';
import { styleNonce } from '../service/place.js';
import { createQueries } from '../service/queries.js';
import { createRoutes } from './routes.js';
import { colorScheme, theme, variables } from './theme.js';

export function App() {
  const [queries] = useState(createQueries);
  const [routes] = useState(createRoutes);
  return (
    <MantineProvider
      theme={theme}
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
