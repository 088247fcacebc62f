import { describe, expect, test } from 'vitest';
import { folderOf } from './dropped-files.js';
import { planBatches, readAddresses } from './send-images.js';

const file = (name: string, folder: string | null) => ({ file: new File(['x'], name), folder });

describe('images that are added', () => {
  test('images of a folder are labelled by its name, a few a request, and none is left out', () => {
    const given = [
      ...Array.from({ length: 20 }, (_, n) => file(`${n}.jpg`, 'cat')),
      ...Array.from({ length: 3 }, (_, n) => file(`${n}.jpg`, 'dog')),
      file('loose.jpg', null),
    ];
    const batches = planBatches(
      given,
      ['https://x.example/a.jpg'],
      ({ folder }) => folder ?? undefined,
      'cat',
    );
    expect(batches.map(({ label, files, urls }) => [label, files.length, urls.length])).toEqual([
      ['cat', 8, 0],
      ['cat', 8, 0],
      ['cat', 4, 0],
      ['dog', 3, 0],
      [undefined, 1, 0],
      ['cat', 0, 1],
    ]);
  });

  test('the label is the folder that directly contains the file', () => {
    expect(folderOf('animals/train/cat/1.jpg')).toBe('cat');
    expect(folderOf('1.jpg')).toBeNull();
    expect(folderOf('')).toBeNull();
  });

  test('addresses are read from lines and lists, each once', () => {
    expect(
      readAddresses('https://a.example/1.jpg\nhttps://a.example/2.jpg, https://a.example/1.jpg x ftp://b'),
    ).toEqual(['https://a.example/1.jpg', 'https://a.example/2.jpg']);
  });
});
