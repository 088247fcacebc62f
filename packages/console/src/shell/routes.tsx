import { createBrowserRouter } from 'react-router';
import { pathPrefix } from '../service/place.js';
import { Fault } from './fault.js';
import { Frame } from './frame.js';
import { NotFound } from './not-found.js';
import { Waiting } from './waiting.js';

/**
 * Every page is a chunk of its own, fetched when it is first opened. The first parts of these paths also stand in the
 * service's `http/console/page-paths.ts`, which answers them with the page.
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
            Component: Frame,
            ErrorBoundary: Fault,
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('../try/try-page.js')).TryPage }),
              },
              {
                path: '/keys',
                lazy: async () => ({ Component: (await import('../keys/keys-page.js')).KeysPage }),
              },
              {
                path: '/faces',
                lazy: async () => ({
                  Component: (await import('../faces/perceptions/perceptions-page.js')).PerceptionsPage,
                }),
              },
              {
                path: '/faces/:modelId/people/:personId',
                lazy: async () => ({
                  Component: (await import('../faces/person/person-page.js')).PersonPage,
                }),
              },
              {
                path: '/faces/:modelId',
                lazy: async () => ({
                  Component: (await import('../faces/perception/perception-layout.js')).PerceptionLayout,
                }),
                children: [
                  {
                    index: true,
                    lazy: async () => ({
                      Component: (await import('../faces/people/people-page.js')).PeoplePage,
                    }),
                  },
                  {
                    path: 'search',
                    lazy: async () => ({
                      Component: (await import('../faces/search/search-page.js')).SearchPage,
                    }),
                  },
                  {
                    path: 'calibration',
                    lazy: async () => ({
                      Component: (await import('../faces/calibration/calibration-page.js')).CalibrationPage,
                    }),
                  },
                  {
                    path: 'embedder',
                    lazy: async () => ({
                      Component: (await import('../faces/embedder/embedder-page.js')).EmbedderPage,
                    }),
                  },
                  {
                    path: 'settings',
                    lazy: async () => ({
                      Component: (await import('../faces/perception/settings-page.js')).SettingsPage,
                    }),
                  },
                ],
              },
              {
                path: '/help/:name?',
                lazy: async () => ({ Component: (await import('../help/help-page.js')).HelpPage }),
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
