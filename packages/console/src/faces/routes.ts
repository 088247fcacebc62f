import type { RouteObject } from 'react-router';

/** The pages of known faces. */
export const faceRoutes: readonly RouteObject[] = [
  {
    path: '/faces',
    lazy: async () => ({
      Component: (await import('./perceptions/perceptions-page.js')).PerceptionsPage,
    }),
  },
  {
    path: '/faces/:modelId/people/:personId',
    lazy: async () => ({
      Component: (await import('./person/person-page.js')).PersonPage,
    }),
  },
  {
    path: '/faces/:modelId',
    lazy: async () => ({
      Component: (await import('./perception/perception-layout.js')).PerceptionLayout,
    }),
    children: [
      {
        index: true,
        lazy: async () => ({
          Component: (await import('./people/people-page.js')).PeoplePage,
        }),
      },
      {
        path: 'search',
        lazy: async () => ({
          Component: (await import('./search/search-page.js')).SearchPage,
        }),
      },
      {
        path: 'calibration',
        lazy: async () => ({
          Component: (await import('./calibration/calibration-page.js')).CalibrationPage,
        }),
      },
      {
        path: 'embedder',
        lazy: async () => ({
          Component: (await import('./embedder/embedder-page.js')).EmbedderPage,
        }),
      },
      {
        path: 'settings',
        lazy: async () => ({
          Component: (await import('./perception/settings-page.js')).SettingsPage,
        }),
      },
    ],
  },
];
