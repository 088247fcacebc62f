import { type ConsoleView, choose, press } from '../console-view.js';

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
];
