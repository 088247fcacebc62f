import { expect, test } from 'vitest';
import { type ListedFile, openTree } from './fixtures/listed-tree.js';
import { findWhoseFolders } from './whose-folders.js';

/** The person of each path, or `-` and why there is none. */
async function whose(...files: (string | ListedFile)[]): Promise<Record<string, string>> {
  const tree = openTree(files);
  const found = await findWhoseFolders(tree);
  const told: Record<string, string> = {};
  for await (const { path } of tree.list()) {
    const answer = found.whose(path);
    told[path] = 'name' in answer ? answer.name : `- ${answer.refusal}`;
  }
  return told;
}

test('a folder with a picture is a person, and the folders in it are theirs', async () => {
  expect(await whose('Ada/1.jpg', 'Ada/at sea/2.PNG', 'Ada/notes.txt', 'Bob/1.heic')).toEqual({
    'Ada/1.jpg': 'Ada',
    'Ada/at sea/2.PNG': 'Ada',
    'Ada/notes.txt': 'Ada',
    'Bob/1.heic': 'Bob',
  });
});

test('folders around people are nobody, however many', async () => {
  const told = await whose('home/staff/Ada/1.jpg', 'home/staff/Bob/1.jpg', 'home/guests/Eve/1.jpg');
  expect(Object.values(told)).toEqual(['Ada', 'Bob', 'Eve']);
});

test('a file that is no picture makes no person of the folder around people', async () => {
  expect(await whose('staff/read me.txt', 'staff/Ada/1.jpg')).toEqual({
    'staff/read me.txt': '- it is in no folder named by a person',
    'staff/Ada/1.jpg': 'Ada',
  });
});

test('a picture in no folder is nobody’s', async () => {
  const told = await whose('1.jpg', 'Ada/1.jpg');
  expect(told['1.jpg']).toBe('- it is in no folder named by a person');
  expect(told['Ada/1.jpg']).toBe('Ada');
});

test('two folders of one name are refused, since they may be two people or albums of several', async () => {
  const told = await whose('Ada/2020/1.jpg', 'Bob/2020/1.jpg', 'Eve/1.jpg', 'x/Zoë/1.jpg', 'y/ Zoë /1.jpg');
  expect(told['Ada/2020/1.jpg']).toMatch(/^- two folders have this name, Ada\/2020 and Bob\/2020/);
  expect(told['Bob/2020/1.jpg']).toMatch(/^- two folders have this name/);
  expect(told['y/ Zoë /1.jpg']).toMatch(/^- two folders have this name/);
  expect(told['Eve/1.jpg']).toBe('Eve');
});

test('a name is trimmed, and one that is none is told', async () => {
  const long = 'x'.repeat(201);
  const told = await whose(' Ada /1.jpg', '\u0007/1.jpg', `${long}/1.jpg`);
  expect(told[' Ada /1.jpg']).toBe('Ada');
  expect(told['\u0007/1.jpg']).toMatch(/^- the name of its folder is no name/);
  expect(told[`${long}/1.jpg`]).toMatch(/^- the name of its folder is no name/);
});

test('a refused file makes no person', async () => {
  const told = await whose({ path: 'staff/link.jpg', refusal: 'it is a link' }, 'staff/Ada/1.jpg');
  expect(told['staff/Ada/1.jpg']).toBe('Ada');
});
