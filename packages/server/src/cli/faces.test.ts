import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPeople } from '../faces/people.js';
import { createPerceptions } from '../faces/perceptions.js';
import { dataFolder } from '../storage/data-folder.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-faces-'));
  for (const installation of ['here', 'there']) await lynceus(installation, 'accounts', 'create', 'house');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(installation: string, ...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: join(folder, installation), LYNCEUS_MODELS_DIR: join(folder, 'models') },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
async function within<T>(
  installation: string,
  work: (made: ReturnType<typeof partsOf>) => Promise<T>,
): Promise<T> {
  const storage = await openCommandStorage(dataFolder(join(folder, installation)));
  try {
    return await work(partsOf(storage.database));
  } finally {
    await storage.close();
  }
}
const partsOf = (database: Parameters<typeof createPeople>[0]['database']) => ({
  perceptions: createPerceptions({ database, clock: Date.now, embedder: 'test@1' }),
  people: createPeople({ database, clock: Date.now, quota: { require: async () => undefined } }),
});
const house = 1;

test('a perception is exported to a file and imported elsewhere', async () => {
  const id = await within('here', async ({ perceptions, people }) => {
    const made = await perceptions.create(house, { name: 'staff' });
    await people.create(house, made.id, { name: 'Ada', keyId: 'a' });
    return made.id;
  });
  const written = await lynceus('here', 'faces', 'export', String(id), 'staff.tar', '--account', 'house');
  expect([written.noted, written.code]).toEqual([expect.stringContaining('protect it'), 0]);
  const read = await lynceus('there', 'faces', 'import', 'staff.tar', '--account', 'house');
  expect(read).toMatchObject({ code: 0, printed: 'Imported "staff" as 1001: 1 people, 0 images.' });
  const people = await within('there', (made) =>
    made.people.list(house, 1001, {}, { limit: 10, after: undefined }),
  );
  expect(people.items).toMatchObject([{ name: 'Ada', keyId: 'a' }]);

  const again = await lynceus('here', 'faces', 'export', String(id), 'staff.tar', '--account', 'house');
  expect(again).toMatchObject({ code: 1, noted: expect.stringContaining('already exists') });
  expect((await readdir(folder)).sort()).toEqual(['here', 'staff.tar', 'there']);
});

test('reports what cannot be done', async () => {
  await writeFile(join(folder, 'a.tar'), 'no archive');
  await writeFile(join(folder, 'a.zip'), 'PK\x03\x04 and no more');
  await mkdir(join(folder, 'photos', 'Ada'), { recursive: true });
  await writeFile(join(folder, 'photos', 'Ada', '1.jpg'), '');
  for (const [words, message] of [
    [['import', 'a.tar', '--account', 'house'], /no plain tar file/],
    [['import', 'none.tar', '--account', 'house'], /There is no file or folder none.tar/],
    [['import', 'a.tar', '--new', 'staff', '--account', 'house'], /a.tar is neither a folder nor a zip/],
    [['import', 'photos', '--account', 'house'], /give --into and its number or UID, or --new/],
    [
      ['import', 'a.zip', '--into', '1', '--new', 'x', '--account', 'house'],
      /Images are added to one perception/,
    ],
    [['import', 'photos', '--new', ' ', '--account', 'house'], /--new needs a name/],
    [['import', 'photos', '--into', '77', '--account', 'house'], /77 is not one of the perceptions of house/],
    [
      ['import', 'photos', '--new', 'staff', '--account', 'house'],
      /model \S+ that describes its faces is not inst/,
    ],
    [['import', 'a.tar', '--account', 'nobody'], /There is no account "nobody"/],
    [['export', '77', 'b.tar', '--account', 'house'], /77 is not one of the perceptions of house/],
  ] as const) {
    const { code, noted } = await lynceus('here', 'faces', ...words);
    expect([code, noted]).toEqual([1, expect.stringMatching(message)]);
  }
  // Nothing was made on the way.
  const found = await within('here', ({ perceptions }) =>
    perceptions.list(house, { limit: 10, after: undefined }),
  );
  expect(found.items).toEqual([]);
});
