import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { allOf, type ConsoleView, choose, giveFiles, press } from '../console-view.js';

const drawAny = () => drawFaces(64, 64, [{ x: 32, y: 32, unit: 1, tiltDeg: 0 }]);

/** Datasets, and labelling. */
export const datasets: readonly ConsoleView[] = [
  {
    name: 'datasets',
    path: '/datasets',
    shows: 'Shapes',
    windows: [{ name: 'new', open: press('Create a dataset'), shows: 'Labels of an image' }],
  },
  { name: 'datasets-none', isVariant: true, path: '/datasets', viewer: 'newcomer', shows: 'No datasets yet' },
  {
    name: 'dataset',
    path: '/datasets/1001',
    shows: 'of 24 labelled',
    windows: [
      { name: 'add', open: press('Add images'), shows: 'Drop images or folders here' },
      { name: 'menu', open: press('More'), shows: 'Delete the dataset' },
      { name: 'rename', open: choose('More', 'Rename'), shows: 'Save' },
      { name: 'import', open: choose('More', 'Import a zip'), shows: /in any of the formats/ },
      { name: 'split', open: choose('More', 'Hold out images'), shows: 'Hold them out' },
      { name: 'delete', open: choose('More', 'Delete the dataset'), shows: 'deleted for good' },
    ],
  },
  {
    name: 'dataset-selected',
    isVariant: true,
    path: '/datasets/1001',
    shows: '24 selected',
    prepare: press('Select all shown'),
    windows: [{ name: 'delete', open: press('Delete'), shows: 'with their labels' }],
  },
  {
    name: 'dataset-added',
    isVariant: true,
    path: '/datasets/1003',
    shows: 'was there already',
    prepare: allOf(
      press('Add images'),
      giveFiles(['one.png', 'the same.png'], drawAny),
      press('Add 2 images'),
      (page) =>
        page.getByText('was there already').or(page.getByText('were there already')).first().waitFor(),
    ),
  },
  {
    name: 'classes',
    path: '/datasets/1001?tab=classes',
    shows: 'New class',
    windows: [
      { name: 'merge', open: choose('Actions on square', 'Merge into another'), shows: 'Into' },
      { name: 'rename', open: choose('Actions on square', 'Rename'), shows: 'Save' },
      { name: 'delete', open: choose('Actions on square', 'Delete'), shows: 'Their labels are deleted' },
    ],
  },
  { name: 'check', path: '/datasets/1001?tab=check', shows: 'Problems that make a model worse' },
  { name: 'dataset-empty', isVariant: true, path: '/datasets/1004', shows: 'No images yet' },
  { name: 'label-class', path: '/datasets/1001/label', shows: 'What does it show?' },
  {
    name: 'label-boxes',
    path: '/datasets/1002',
    shows: 'Class of the next box',
    prepare: async (page) => {
      // The first that was labelled; the newest stand before it.
      await page.getByRole('link', { name: '1.png' }).last().click();
      await page
        .getByRole('button', { name: /^circle: \d+ by/ })
        .first()
        .waitFor();
    },
    windows: [
      {
        name: 'keys',
        open: press('Keyboard shortcuts'),
        shows: 'Single-key shortcuts',
        close: press('Keyboard shortcuts'),
      },
    ],
  },
];
