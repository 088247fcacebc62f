import { allOf, type ConsoleView, choose, fill, press } from '../console-view.js';

const make = allOf(press('Create the drop'), (page) =>
  page.getByText('The key of the drop').first().waitFor(),
);
const nameIt = fill('Name', 'Image desk');
const goOn = press('I have copied the key');
const keepWords = press('Continue');

/** Drops, the steps of a new one among them. */
export const drops: readonly ConsoleView[] = [
  { name: 'drops', path: '/drops', shows: 'Sports desk' },
  { name: 'drops-none', isVariant: true, path: '/drops', viewer: 'newcomer', shows: 'No drops yet' },
  { name: 'new-drop-1', isVariant: true, path: '/drops/new', shows: 'User name for FTP' },
  {
    name: 'new-drop-2',
    isVariant: true,
    path: '/drops/new',
    shows: 'I have copied the key',
    prepare: allOf(nameIt, make),
  },
  {
    name: 'new-drop-3',
    isVariant: true,
    path: '/drops/new',
    shows: 'Sources of keywords',
    prepare: allOf(nameIt, make, goOn),
  },
  {
    name: 'new-drop-4',
    path: '/drops/new',
    shows: 'The operator does not allow this destination',
    prepare: allOf(nameIt, make, goOn, keepWords, async (page) => {
      await page.getByRole('combobox', { name: 'Destination' }).click();
      await page.getByRole('option', { name: 'A server by SFTP' }).click();
      // An address is refused when it is saved, a name when it is looked up.
      await fill('Host', 'localhost')(page);
      await fill('User name', 'desk')(page);
      await fill('Password', 'a password')(page);
      await press('Save and test')(page);
      await page.getByText('The operator does not allow this destination').waitFor();
    }),
  },
  {
    name: 'drop',
    path: '/drops/1001',
    shows: 'IMG_0412.jpg',
    windows: [
      { name: 'file', open: press('IMG_0412.jpg'), shows: 'Sent' },
      { name: 'failed-file', open: press('notes.txt'), shows: 'Why it failed' },
      { name: 'menu', open: press('Drop actions'), shows: 'Delete the drop' },
      { name: 'rename', open: choose('Drop actions', 'Rename'), shows: 'Rename the drop' },
      {
        name: 'new-key',
        open: choose('Drop actions', 'Create a new key'),
        shows: 'The old key is refused',
      },
      { name: 'many', open: press('Bulk actions'), shows: 'Delete all that are done' },
    ],
  },
  {
    name: 'drop-none-found',
    isVariant: true,
    path: '/drops/1001',
    shows: 'No files found',
    prepare: (page) => page.getByRole('searchbox').fill('zeppelin'),
  },
  { name: 'drop-connection', isVariant: true, path: '/drops/1001/connection', shows: 'Protocol' },
  { name: 'drop-written', isVariant: true, path: '/drops/1001/written', shows: 'How long files stay here' },
  {
    name: 'drop-destination',
    path: '/drops/1001/destination',
    shows: 'It works',
    prepare: allOf(press('More'), press('Test')),
  },
  { name: 'drop-empty', isVariant: true, path: '/drops/1002', shows: 'No files yet' },
];
