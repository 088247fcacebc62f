import { allOf, type ConsoleView, choose, press } from '../console-view.js';

/** What cameras saw, and where that is sent. */
export const streamEvents: readonly ConsoleView[] = [
  {
    name: 'stream-events',
    path: '/stream-events',
    shows: 'Ada Lovelace',
    windows: [
      { name: 'person', open: press('Ada Lovelace'), shows: 'Recognised as Ada Lovelace' },
      {
        name: 'box',
        open: allOf(press('stop sign'), (page) => page.getByLabel('Show the box').click()),
        shows: 'Clip',
      },
      { name: 'in-sight', open: press('dog'), shows: 'There is no snapshot.' },
      {
        name: 'not-person',
        open: allOf(press('Ada Lovelace'), press('Not Ada Lovelace')),
        shows: 'The name is taken from this object',
        close: allOf(press('Cancel'), (page) => page.keyboard.press('Escape')),
      },
    ],
  },
  {
    name: 'stream-events-filtered',
    isVariant: true,
    path: '/stream-events?zone=gate&person=1001',
    shows: 'Clear filters',
  },
  {
    name: 'stream-events-none-found',
    isVariant: true,
    path: '/stream-events?label=zebra',
    shows: 'No events found',
  },
  {
    name: 'stream-events-reader',
    isVariant: true,
    path: '/stream-events',
    viewer: 'reader',
    shows: 'Ada Lovelace',
    windows: [{ name: 'person', open: press('Ada Lovelace'), shows: 'Recognised as Ada Lovelace' }],
  },
  {
    name: 'stream-events-none',
    isVariant: true,
    path: '/stream-events',
    viewer: 'newcomer',
    shows: 'No events yet',
  },
];

/** Where events are sent. */
export const streamOutputs: readonly ConsoleView[] = [
  {
    name: 'stream-outputs',
    path: '/stream-outputs',
    shows: 'Night watch',
    windows: [
      { name: 'menu', open: press('Actions on Night watch'), shows: 'Disable' },
      { name: 'add', open: press('Add an output'), shows: 'Sent as' },
      { name: 'change', open: choose(/^Actions on Broker/, 'Change'), shows: 'Home Assistant' },
      { name: 'test', open: choose('Actions on Night watch', 'Test'), shows: 'Test again' },
    ],
  },
  {
    name: 'stream-outputs-reader',
    isVariant: true,
    path: '/stream-outputs',
    viewer: 'reader',
    shows: 'Night watch',
  },
  {
    name: 'stream-outputs-none',
    isVariant: true,
    path: '/stream-outputs',
    viewer: 'newcomer',
    shows: 'No outputs yet',
  },
];

/** Video files, and what was found in them. */
export const videos: readonly ConsoleView[] = [
  {
    name: 'videos',
    path: '/videos',
    shows: 'street.mp4',
    windows: [
      { name: 'add', open: press('Add a video'), shows: 'Drop a video file here' },
      {
        name: 'add-address',
        open: allOf(
          press('Add a video'),
          (page) => page.getByText('Address', { exact: true }).click(),
          (page) => page.getByRole('switch', { name: 'Name people' }).click(),
        ),
        shows: 'The service fetches it',
      },
    ],
  },
  { name: 'videos-none', isVariant: true, path: '/videos', viewer: 'newcomer', shows: 'No videos yet' },
  {
    name: 'video',
    path: '/videos/1001',
    shows: 'Captions: what is seen',
    windows: [
      { name: 'downloads', open: press('Download'), shows: 'Timeline as CSV' },
      { name: 'delete', open: choose('Video actions', 'Delete the video'), shows: 'work on it ends' },
      { name: 'again', open: press('Analyse again'), shows: 'The timeline stays' },
    ],
  },
  {
    name: 'video-lane',
    isVariant: true,
    path: '/videos/1001',
    shows: /^Finds: /,
    prepare: (page) => page.locator('button[aria-pressed]').first().click(),
  },
  { name: 'video-failed', isVariant: true, path: '/videos/1002', shows: 'could not be analysed' },
];
