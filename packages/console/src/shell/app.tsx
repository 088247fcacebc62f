import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router';
import { styleNonce } from '../service/addresses.js';
import { createQueries } from '../service/queries.js';
import { createRoutes } from './routes.js';
import { colorScheme, nameTheme, variables } from './theme.js';

const Notices = lazy(() => import('./notices.js').then(({ Notices }) => ({ default: Notices })));

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
        <NoticesOnceNeeded />
        <RouterProvider router={routes} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The code for notices is loaded with the first one: most visits have none. */
function NoticesOnceNeeded() {
  const { notifications } = useNotifications();
  const wasNeeded = useRef(false);
  wasNeeded.current ||= notifications.length > 0;
  return (
    wasNeeded.current && (
      <Suspense>
        <Notices />
      </Suspense>
    )
  );
}
