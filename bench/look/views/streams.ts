import { allOf, type ConsoleView, choose, fill, press } from '../console-view.js';

const entrance = '/streams/1001';

/** Cameras and their settings. The cameras are disabled: no live image changes while they are looked at. */
export const streams: readonly ConsoleView[] = [
  {
    name: 'streams',
    path: '/streams',
    shows: 'Entrance',
    windows: [{ name: 'add', open: press('Add a camera'), shows: 'Kind of source' }],
  },
  { name: 'streams-none', isVariant: true, path: '/streams', viewer: 'newcomer', shows: 'No cameras yet' },
  {
    name: 'stream',
    path: entrance,
    shows: 'Last events',
    windows: [
      { name: 'menu', open: press('Camera actions'), shows: 'Copy a view link' },
      { name: 'rename', open: choose('Camera actions', 'Rename'), shows: 'Rename the camera' },
      { name: 'link', open: choose('Camera actions', 'Copy a view link'), shows: 'Expires after' },
      { name: 'delete', open: choose('Camera actions', 'Delete the camera'), shows: 'cannot be undone' },
    ],
  },
  { name: 'stream-look', path: `${entrance}/look`, shows: 'Save' },
  { name: 'stream-zones', path: `${entrance}/zones`, shows: 'Zones and masks' },
  { name: 'stream-schedule', path: `${entrance}/schedule`, shows: 'Save' },
  { name: 'stream-recording', path: `${entrance}/recording`, shows: 'Save' },
  { name: 'stream-source', path: `${entrance}/source`, shows: 'User name' },
  {
    name: 'stream-source-more',
    isVariant: true,
    path: `${entrance}/source`,
    shows: 'User name of the second stream',
    prepare: allOf(press('More settings'), (page) => page.getByLabel(/^Analyse a second/).check()),
  },
  {
    name: 'stream-source-video',
    isVariant: true,
    path: `${entrance}/source`,
    shows: 'It plays again and again',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Kind of source' }).click();
      await page.getByRole('option', { name: 'An uploaded video, repeated' }).click();
      await page.getByRole('combobox', { name: 'Video', exact: true }).click();
    },
  },
  {
    name: 'stream-zone-chosen',
    isVariant: true,
    path: `${entrance}/zones`,
    shows: 'Objects that can enter it',
    prepare: press(/^gate/),
  },
  {
    name: 'stream-zone-drawn',
    isVariant: true,
    path: `${entrance}/zones`,
    shows: 'Click or tap to set corners',
    prepare: press('Draw a zone'),
  },
  {
    name: 'stream-add-look',
    isVariant: true,
    path: '/streams',
    shows: 'Objects to follow',
    prepare: async (page) => {
      await press('Add a camera')(page);
      await fill('Name', 'Yard')(page);
      await fill('Address', 'rtsp://192.168.1.20/stream1')(page);
      await press('Continue')(page);
    },
  },
  { name: 'stream-away', isVariant: true, path: '/streams/1003', shows: 'is not allowed' },
  { name: 'streams-reader', isVariant: true, viewer: 'reader', path: '/streams', shows: 'Entrance' },
  {
    name: 'stream-reader',
    isVariant: true,
    viewer: 'reader',
    path: entrance,
    shows: 'Last events',
    windows: [{ name: 'link', open: press('Copy a view link'), shows: 'Expires after' }],
  },
  {
    name: 'stream-look-reader',
    isVariant: true,
    viewer: 'reader',
    path: `${entrance}/look`,
    shows: 'Speed and motion',
  },
  {
    name: 'stream-zones-reader',
    isVariant: true,
    viewer: 'reader',
    path: `${entrance}/zones`,
    shows: 'Objects that can enter it',
    prepare: press(/^gate/),
  },
  {
    name: 'stream-source-reader',
    isVariant: true,
    viewer: 'reader',
    path: `${entrance}/source`,
    shows: 'User name',
  },
];
