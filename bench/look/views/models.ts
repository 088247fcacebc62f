import { allOf, type ConsoleView, choose, press } from '../console-view.js';

/** Customers' models, and those that are built in. */
export const models: readonly ConsoleView[] = [
  {
    name: 'models',
    path: '/models',
    shows: 'Shapes',
    windows: [{ name: 'new', open: press('Create a model'), shows: 'New model' }],
  },
  {
    name: 'models-none',
    isVariant: true,
    path: '/models',
    viewer: 'newcomer',
    shows: 'No models of your own yet',
  },
  { name: 'models-built-in', path: '/models?tab=built-in', shows: 'Where it comes from' },
  {
    name: 'model',
    path: '/models/1002',
    shows: 'Version 1 is active',
    windows: [
      { name: 'train', open: press('Train'), shows: 'Start the training' },
      { name: 'upload', open: press('Upload a file'), shows: 'Upload a model' },
      { name: 'menu', open: press('More'), shows: 'Delete the model' },
      { name: 'describe', open: choose('More', 'Name and description'), shows: 'Description' },
      {
        name: 'delete',
        open: choose('More', 'Delete the model'),
        shows: 'programs that call it are refused',
      },
      { name: 'version-menu', open: press('Actions on version 1'), shows: 'Report as a page' },
    ],
  },
  { name: 'model-runs', isVariant: true, path: '/models/1002?tab=runs', shows: /took/ },
  {
    name: 'model-compare',
    path: '/models/1002?tab=compare',
    shows: 'Two versions predict the same held-out images',
  },
  { name: 'model-empty', isVariant: true, path: '/models/1004', shows: 'A version comes from a training' },
  { name: 'version', path: '/models/1002/versions/1', shows: 'Confusion matrix' },
  {
    name: 'model-refused',
    path: '/models/1004',
    shows: 'The file cannot be used',
    prepare: allOf(
      press('Upload a file'),
      (page) =>
        page
          .locator('input[type=file]')
          .last()
          .setInputFiles({ name: 'no.onnx', mimeType: 'text/plain', buffer: Buffer.from('no model') }),
      press('Upload and try it'),
      (page) => page.getByText('The file cannot be used').waitFor(),
    ),
  },
  {
    name: 'dataset-train',
    path: '/datasets/1001',
    shows: 'Train a model',
    windows: [{ name: 'window', open: press('Train a model'), shows: 'Name of the model' }],
  },
  {
    name: 'dataset-train-boxes',
    isVariant: true,
    path: '/datasets/1002',
    shows: 'Train a model',
    windows: [{ name: 'window', open: press('Train a model'), shows: 'Look again at boxes' }],
  },
];
