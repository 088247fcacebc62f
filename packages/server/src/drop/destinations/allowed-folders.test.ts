import { expect, test } from 'vitest';
import { parseAllowedFolders } from './allowed-folders.js';

test('folders are a list of absolute paths, and another entry is named', () => {
  expect(parseAllowedFolders('')).toEqual([]);
  expect(parseAllowedFolders(' /srv/pictures/, /mnt/desk ')).toEqual(['/srv/pictures', '/mnt/desk']);
  expect(() => parseAllowedFolders('/srv, pictures')).toThrow(
    'dropFolders: pictures is not an absolute path',
  );
});
