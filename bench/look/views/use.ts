import { allOf, type ConsoleView, fill, openTab, press } from '../console-view.js';

/** Try it, keys, usage, files and help. */
export const use: readonly ConsoleView[] = [
  {
    name: 'try',
    path: '/',
    shows: 'Drop an image here',
    windows: [
      { name: 'camera', open: press('Camera'), shows: 'The camera cannot be used' },
      { name: 'user-menu', open: press(/^Menu of/), shows: 'Sign out' },
    ],
  },
  {
    name: 'try-found',
    path: '/',
    shows: /\d+ findings/,
    prepare: allOf(press(/Take this one/), (page) => page.getByText(/\d+ findings/).waitFor()),
  },
  {
    name: 'try-json',
    isVariant: true,
    path: '/',
    shows: '"fileid"',
    prepare: allOf(
      press(/Take this one/),
      (page) => page.getByText(/\d+ findings/).waitFor(),
      openTab('Raw JSON'),
    ),
  },
  { name: 'try-failed', isVariant: true, path: '/', shows: 'That did not work', prepare: sendNoImage },
  {
    name: 'keys',
    path: '/keys',
    shows: 'Photo desk',
    windows: [
      { name: 'new', open: press('Create a key'), shows: 'New key' },
      { name: 'revoke', open: press('Revoke Till'), shows: 'This cannot be undone' },
      {
        name: 'made',
        open: allOf(press('Create a key'), fill('Name', 'Door camera'), press('Create the key')),
        shows: 'Copy it now',
      },
    ],
  },
  {
    name: 'keys-all',
    isVariant: true,
    path: '/keys',
    shows: 'Revoked',
    prepare: (page) => page.getByRole('switch').check(),
  },
  { name: 'keys-none', isVariant: true, path: '/keys', viewer: 'newcomer', shows: 'No keys yet' },
  {
    name: 'waiting',
    path: '/keys',
    shows: 'Programs call the service with a key',
    answers: { to: '**/api/keys*', as: 'none' },
  },
  {
    name: 'failed',
    path: '/keys',
    shows: 'That did not work',
    answers: { to: '**/api/keys*', as: 'failure' },
  },
  { name: 'usage', path: '/usage', shows: 'By operation' },
  {
    name: 'usage-none',
    isVariant: true,
    path: '/usage',
    viewer: 'newcomer',
    shows: 'No calls in this period',
  },
  { name: 'files', path: '/files', shows: 'v1.predict_image' },
  {
    name: 'files-none',
    isVariant: true,
    path: '/files',
    viewer: 'newcomer',
    shows: 'Nothing was analysed yet',
  },
  {
    name: 'files-none-found',
    isVariant: true,
    path: '/files',
    shows: 'No results found',
    prepare: (page) => page.getByRole('searchbox').fill('zeppelin'),
  },
  {
    name: 'file',
    path: '/files',
    shows: 'Objects',
    prepare: openFile,
    windows: [{ name: 'delete', open: press('Delete'), shows: 'Delete this analysis?' }],
  },
  {
    name: 'file-facts',
    isVariant: true,
    path: '/files',
    shows: 'Kept until',
    prepare: allOf(openFile, openTab('Details')),
  },
  {
    name: 'file-json',
    isVariant: true,
    path: '/files',
    shows: '"fileid"',
    prepare: allOf(openFile, openTab('JSON')),
  },
  { name: 'help', path: '/help', shows: 'npm start' },
  { name: 'help-settings', isVariant: true, path: '/help/settings', shows: 'LYNCEUS_PORT' },
  {
    name: 'help-nothing',
    isVariant: true,
    path: '/help',
    shows: 'No document contains this.',
    prepare: (page) => page.getByRole('searchbox').fill('zeppelin'),
  },
  { name: 'no-such-page', path: '/keys/nothing', shows: 'There is no such page' },
];

async function openFile(page: Parameters<NonNullable<ConsoleView['prepare']>>[0]) {
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('tab', { name: 'Found' }).waitFor();
}

async function sendNoImage(page: Parameters<NonNullable<ConsoleView['prepare']>>[0]) {
  const file = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no image') };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByRole('alert').waitFor();
}
