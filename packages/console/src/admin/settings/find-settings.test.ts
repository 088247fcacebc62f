import { expect, test } from 'vitest';
import { findSettings } from './settings-tab.js';

const settings = [
  { name: 'ftpPort', variable: 'LYNCEUS_FTP_PORT', description: 'Port for FTP.', source: 'LYNCEUS_FTP_PORT' },
  { name: 'port', variable: 'LYNCEUS_PORT', description: 'Port for HTTP.', source: 'default' },
].map((setting) => ({ ...setting, value: 1, default: 1 }));
const found = (search: string, isSetAlone = false) =>
  findSettings(settings, search, isSetAlone).map(({ name }) => name);

test('settings are found by all words of the search, in any case, in name and description', () => {
  expect(found('')).toEqual(['ftpPort', 'port']);
  expect(found('PORT http')).toEqual(['port']);
  expect(found('lynceus_ftp')).toEqual(['ftpPort']);
  expect(found('mail')).toEqual([]);
});

test('settings with their default value can be left out', () => {
  expect(found('port', true)).toEqual(['ftpPort']);
});
