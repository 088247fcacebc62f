import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { allOf, type ConsoleView, giveFiles, press } from '../console-view.js';

const drawOne = () => drawFaces(240, 240, [{ x: 120, y: 120, unit: 5, tiltDeg: -15 }]);
const drawTwo = () =>
  drawFaces(480, 240, [
    { x: 120, y: 120, unit: 5, tiltDeg: -15 },
    { x: 360, y: 120, unit: 4, tiltDeg: 15 },
  ]);

/** Known faces. */
export const faces: readonly ConsoleView[] = [
  {
    name: 'faces',
    path: '/faces',
    shows: 'Staff',
    windows: [
      { name: 'new', open: press('Create a perception'), shows: 'New perception' },
      { name: 'import', open: press('Import'), shows: 'Choose a .tar file' },
    ],
  },
  { name: 'faces-none', isVariant: true, path: '/faces', viewer: 'newcomer', shows: 'No known faces yet' },
  {
    name: 'people',
    path: '/faces/1001',
    shows: 'Ada Lovelace',
    windows: [{ name: 'add', open: press('Add a person'), shows: 'Your own id of this person' }],
  },
  {
    name: 'people-none-found',
    isVariant: true,
    path: '/faces/1001',
    shows: 'No name or key id contains “zeppelin”',
    prepare: (page) => page.getByRole('searchbox').fill('zeppelin'),
  },
  { name: 'people-none', isVariant: true, path: '/faces/1003', shows: 'No people yet' },
  {
    name: 'face-search',
    path: '/faces/1001/search',
    shows: /\d faces were found/,
    prepare: allOf(giveFiles(['group.png'], drawTwo), (page) =>
      page.getByText(/\d faces were found/).waitFor(),
    ),
    windows: [
      { name: 'acts', open: press(/^Actions on /), shows: /add the face/ },
      { name: 'enrol', open: press('Add as a new person'), shows: 'New person' },
    ],
  },
  {
    name: 'calibration',
    path: '/faces/1001/calibration',
    shows: 'Calibration',
    prepare: (page) => page.locator('.recharts-surface').first().waitFor(),
  },
  { name: 'embedder', path: '/faces/1001/embedder', shows: 'Model' },
  {
    name: 'face-settings',
    path: '/faces/1001/settings',
    shows: 'Decision point',
    windows: [{ name: 'delete', open: press('Delete the perception'), shows: 'an export made before' }],
  },
  {
    name: 'person',
    path: '/faces/1001/people/1001',
    shows: 'Not this person',
    prepare: (page) => page.getByRole('listitem').getByRole('checkbox').first().waitFor(),
    windows: [
      { name: 'image', open: press(/^Image \d+, /), shows: 'Sharpness' },
      { name: 'edit', open: press('Edit'), shows: 'Name and key id' },
      { name: 'merge', open: press('Merge'), shows: 'Two entries, one person' },
      { name: 'delete', open: press('Delete'), shows: 'The person is deleted for good' },
      { name: 'correction', open: press('Add a correction'), shows: 'or an image of this perception' },
    ],
  },
  {
    name: 'person-selected',
    isVariant: true,
    path: '/faces/1001/people/1001',
    shows: '2 selected',
    prepare: press('Select all shown'),
    windows: [{ name: 'move', open: press('Move'), shows: 'Move to' }],
  },
  {
    name: 'person-adding',
    isVariant: true,
    path: '/faces/1001/people/1002',
    shows: /of 2 images added/,
    prepare: allOf(giveFiles(['passport.png', 'passport again.png'], drawOne), (page) =>
      page.getByText(/of 2 images added/).waitFor(),
    ),
  },
  {
    name: 'gone',
    isVariant: true,
    path: '/faces/4711',
    shows: 'what it showed was deleted',
  },
];
