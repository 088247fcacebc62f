import { Alert, Button, Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { createBrowserRouter, useRouteError } from 'react-router';
import { faceRoutes } from '../faces/routes.js';
import { Waiting } from '../kit/answered.js';
import { NotFound } from '../kit/not-found.js';
import { pathPrefix } from '../service/addresses.js';
import { openClient } from '../service/client.js';
import { loadRestOfStrings } from '../strings/strings.js';

/** The messages of Chromium, Firefox and Safari when a script of the page cannot be loaded: the service restarts, or was updated. */
const unfetched = /dynamically imported module|importing a module script failed/i;

const againMs = 2000;

/** The minimum time between reloads, so that a page that can never be loaded does not flicker. */
const freshMs = 10_000;

/**
 * Every page is a chunk that is loaded when it is first opened. The first segments of these paths are also in
 * `http/console/serve-console.ts` of the service, which serves the console there.
 */
export function createRoutes() {
  return createBrowserRouter(
    [
      {
        ErrorBoundary: Fault,
        HydrateFallback: Waiting,
        children: [
          {
            path: '/sign-in',
            lazy: async () => ({ Component: (await import('../sign-in/sign-in-page.js')).SignInPage }),
          },
          {
            path: '/sign-up',
            lazy: async () => ({ Component: (await import('../sign-in/sign-up-page.js')).SignUpPage }),
          },
          {
            path: '/welcome',
            lazy: async () => ({ Component: (await import('../sign-in/welcome-page.js')).WelcomePage }),
          },
          {
            lazy: async () => ({ Component: (await import('./frame.js')).Frame }),
            ErrorBoundary: Fault,
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('../try/try-page.js')).TryPage }),
              },
              {
                lazy: loadOtherPages,
                children: [
                  {
                    path: '/keys',
                    lazy: async () => ({ Component: (await import('../keys/keys-page.js')).KeysPage }),
                  },
                  {
                    path: '/datasets',
                    lazy: async () => ({
                      Component: (await import('../datasets/datasets-page.js')).DatasetsPage,
                    }),
                  },
                  {
                    path: '/datasets/:id',
                    lazy: async () => ({
                      Component: (await import('../datasets/dataset-page.js')).DatasetPage,
                    }),
                  },
                  {
                    path: '/datasets/:id/label',
                    lazy: async () => ({
                      Component: (await import('../labelling/labelling-page.js')).LabellingPage,
                    }),
                  },
                  {
                    path: '/models',
                    lazy: async () => ({ Component: (await import('../models/models-page.js')).ModelsPage }),
                  },
                  {
                    path: '/models/:id',
                    lazy: async () => ({ Component: (await import('../models/model-page.js')).ModelPage }),
                  },
                  {
                    path: '/models/:id/versions/:number',
                    lazy: async () => ({
                      Component: (await import('../models/reports/version-page.js')).VersionPage,
                    }),
                  },
                  {
                    path: '/usage',
                    lazy: async () => ({ Component: (await import('../usage/usage-page.js')).UsagePage }),
                  },
                  {
                    path: '/streams',
                    lazy: async () => ({
                      Component: (await import('../streams/streams-page.js')).StreamsPage,
                    }),
                  },
                  {
                    path: '/streams/:id/:tab?',
                    lazy: async () => ({ Component: (await import('../streams/stream-page.js')).StreamPage }),
                  },
                  {
                    path: '/drops',
                    lazy: async () => ({ Component: (await import('../drops/drops-page.js')).DropsPage }),
                  },
                  {
                    path: '/drops/new',
                    lazy: async () => ({
                      Component: (await import('../drops/new/new-drop-page.js')).NewDropPage,
                    }),
                  },
                  {
                    path: '/drops/:id/:tab?',
                    lazy: async () => ({ Component: (await import('../drops/drop-page.js')).DropPage }),
                  },
                  {
                    path: '/files',
                    lazy: async () => ({ Component: (await import('../files/files-page.js')).FilesPage }),
                  },
                  {
                    path: '/files/:fileid',
                    lazy: async () => ({ Component: (await import('../files/file-page.js')).FilePage }),
                  },
                  {
                    path: '/stream-events',
                    lazy: async () => ({
                      Component: (await import('../stream-events/stream-events-page.js')).StreamEventsPage,
                    }),
                  },
                  {
                    path: '/stream-outputs',
                    lazy: async () => ({
                      Component: (await import('../stream-outputs/stream-outputs-page.js')).StreamOutputsPage,
                    }),
                  },
                  {
                    path: '/videos',
                    lazy: async () => ({ Component: (await import('../videos/videos-page.js')).VideosPage }),
                  },
                  {
                    path: '/videos/:id',
                    lazy: async () => ({ Component: (await import('../videos/video-page.js')).VideoPage }),
                  },
                  {
                    path: '/account/:tab?',
                    lazy: async () => ({
                      Component: (await import('../account/account-page.js')).AccountPage,
                    }),
                  },
                  {
                    path: '/admin/:tab?',
                    lazy: async () => ({ Component: (await import('../admin/admin-page.js')).AdminPage }),
                  },
                  {
                    path: '/help/:name?',
                    lazy: async () => ({ Component: (await import('../help/help-page.js')).HelpPage }),
                  },
                  ...faceRoutes,
                ],
              },
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
    { basename: pathPrefix || '/' },
  );
}

/** Loads what the start page does not need: most of the texts, and confirmation windows. */
async function loadOtherPages() {
  const [{ Windows }] = await Promise.all([import('./windows.js'), loadRestOfStrings()]);
  return { Component: Windows };
}

/** A page that failed: the error, and a button to reload. */
function Fault() {
  const { t } = useTranslation();
  const error = useRouteError();
  const isUnfetched = error instanceof TypeError && unfetched.test(error.message);
  useLoadOnceServed(isUnfetched);
  return (
    <Container size="sm" py="xl">
      <Alert color="red" title={isUnfetched ? t('shell.failed') : t('shell.faultTitle')} role="alert">
        <Stack align="start">
          {isUnfetched ? t('shell.noAnswer') : error instanceof Error ? error.message : String(error)}
          <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
        </Stack>
      </Alert>
    </Container>
  );
}

/** Reloads the page as soon as the service answers. */
function useLoadOnceServed(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (performance.now() < freshMs) return;
      openClient.session.state().then(
        () => window.location.reload(),
        () => undefined,
      );
    }, againMs);
    return () => clearInterval(timer);
  }, [isWanted]);
}
