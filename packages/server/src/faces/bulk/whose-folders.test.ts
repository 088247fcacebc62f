import { expect, test } from 'vitest';
import { type ListedFile, openTree } from './fixtures/listed-tree.js';
import { findWhoseFolders } from './whose-folders.js';

/** The person of each path, or `-` and why there is none. */
async function whose(...files: (string | ListedFile)[]): Promise<Record<string, string>> {
  const tree = openTree(files);
  const found = await findWhoseFolders(tree);
  const people: Record<string, string> = {};
  for await (const { path } of tree.list()) {
    const answer = found.whose(path);
    people[path] = 'name' in answer ? answer.name : `- ${answer.refusal}`;
  }
  return people;
}

test('a folder with an image is a person, and the folders in it are theirs', async () => {
  expect(await whose('Ada/1.jpg', 'Ada/at sea/2.PNG', 'Ada/notes.txt', 'Bob/1.heic')).toEqual({
    'Ada/1.jpg': 'Ada',
    'Ada/at sea/2.PNG': 'Ada',
    'Ada/notes.txt': 'Ada',
    'Bob/1.heic': 'Bob',
  });
});

test('folders around people are nobody, however many', async () => {
  const people = await whose('home/staff/Ada/1.jpg', 'home/staff/Bob/1.jpg', 'home/guests/Eve/1.jpg');
  expect(Object.values(people)).toEqual(['Ada', 'Bob', 'Eve']);
});

test('a file that is no image makes no person of the folder around people', async () => {
  expect(await whose('staff/read me.txt', 'staff/Ada/1.jpg')).toEqual({
    'staff/read me.txt': '- it is in no folder named by a person',
    'staff/Ada/1.jpg': 'Ada',
  });
});

test('an image in no folder is nobody’s', async () => {
  const people = await whose('1.jpg', 'Ada/1.jpg');
  expect(people['1.jpg']).toBe('- it is in no folder named by a person');
  expect(people['Ada/1.jpg']).toBe('Ada');
});

test('two folders of one name are refused, since they may be two people or albums of several', async () => {
  const people = await whose('Ada/2020/1.jpg', 'Bob/2020/1.jpg', 'Eve/1.jpg', 'x/Zoë/1.jpg', 'y/ Zoë /1.jpg');
  expect(people['Ada/2020/1.jpg']).toMatch(/^- two folders have this name, Ada\/2020 and Bob\/2020/);
  expect(people['Bob/2020/1.jpg']).toMatch(/^- two folders have this name/);
  expect(people['y/ Zoë /1.jpg']).toMatch(/^- two folders have this name/);
  expect(people['Eve/1.jpg']).toBe('Eve');
});

test('a name is trimmed, and an invalid one is reported', async () => {
  const long = 'x'.repeat(201);
  const people = await whose(' Ada /1.jpg', '\u0007/1.jpg', `${long}/1.jpg`);
  expect(people[' Ada /1.jpg']).toBe('Ada');
  expect(people['\u0007/1.jpg']).toMatch(/^- the name of its folder is no name/);
  expect(people[`${long}/1.jpg`]).toMatch(/^- the name of its folder is no name/);
});

test('a refused file makes no person', async () => {
  const people = await whose({ path: 'staff/link.jpg', refusal: 'it is a link' }, 'staff/Ada/1.jpg');
  expect(people['staff/Ada/1.jpg']).toBe('Ada');
});
