import { expect, test } from 'vitest';
import { parseAllowedFolders } from './allowed-folders.js';

test('folders are a list of absolute paths, and another entry is named', () => {
  expect(parseAllowedFolders('')).toEqual([]);
  expect(parseAllowedFolders(' /srv/images/, /mnt/desk ')).toEqual(['/srv/images', '/mnt/desk']);
  expect(() => parseAllowedFolders('/srv, images')).toThrow('dropFolders: images is not an absolute path');
});
