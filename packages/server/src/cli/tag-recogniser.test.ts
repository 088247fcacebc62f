import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultDropSettings } from '../drops/drop-settings.js';
import { createPerceptions } from '../faces/perceptions.js';
import { dataFolder } from '../storage/data-folder.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { findPerception } from './find-perception.js';
import { runCommandLine } from './main.js';
import { withRecogniser } from './tag-recogniser.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-tag-recogniser-'));
  await mkdir(join(folder, 'models'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const contextOf = () => ({
  env: { LYNCEUS_DATA_DIR: join(folder, 'data'), LYNCEUS_MODELS_DIR: join(folder, 'models') },
  cwd: folder,
  print: () => undefined,
  note: () => undefined,
});
const house = 1;

test('without a database, a perception is refused with what makes one, and no database is made', async () => {
  await mkdir(join(folder, 'data'));
  const choice = { settings: defaultDropSettings, perception: 'family', account: 'default' };
  await expect(withRecogniser(contextOf(), choice, async () => undefined)).rejects.toThrow(
    /There is no perception: no service has started .* Start it once with npm start, then run: .*faces import DIR --new NAME/,
  );
  expect(await readdir(join(folder, 'data'))).toEqual([]);
});

test('a missing model says how all are installed', async () => {
  const choice = { settings: defaultDropSettings, account: 'default' };
  await expect(withRecogniser(contextOf(), choice, async () => undefined)).rejects.toThrow(
    /^Model [a-z0-9-]+ is not installed\. Run first: npm run -s lynceus -- models install$/,
  );
});

test('a perception is found by number, UID and name; a name that several have is not', async () => {
  await runCommandLine(['accounts', 'create', 'house'], contextOf());
  const { database, close } = await openCommandStorage(dataFolder(join(folder, 'data')));
  try {
    const perceptions = createPerceptions({ database, clock: Date.now, embedder: 'test@1' });
    const find = (reference: string) => findPerception(perceptions, house, reference);
    await expect(find('family')).rejects.toThrow(/There is no perception: run: .*--new NAME/);
    const family = await perceptions.create(house, { name: 'family' });
    for (const reference of ['family', ' family ', String(family.id), family.uid]) {
      expect(await find(reference)).toEqual(family);
    }
    await expect(find('friends')).rejects.toThrow(
      `There is no perception "friends"; there are ${family.id} "family"`,
    );
    const other = await perceptions.create(house, { name: 'family' });
    await expect(find('family')).rejects.toThrow(
      `2 perceptions are called "family": give the number, of ${other.id} "family", ${family.id} "family"`,
    );
  } finally {
    await close();
  }
});
