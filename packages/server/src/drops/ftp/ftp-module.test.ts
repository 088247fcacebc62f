import { expect, test } from 'vitest';
import { loadSettings } from '../../core/load-settings.js';
import { ftpOptionsOf } from './ftp-module.js';

const optionsOf = (env: Readonly<Record<string, string>>) =>
  ftpOptionsOf(loadSettings({ env, cwd: '/' }).settings, { dir: '/data' });

test('a certificate that the service makes is for the published addresses, or else for those that it listens on', () => {
  const { certificateAddresses } = optionsOf({
    LYNCEUS_FTP_HOST: '0.0.0.0',
    LYNCEUS_FTP_PUBLIC_ADDRESS: '10.0.0.0/8=10.1.2.3, 203.0.113.5',
  });
  expect(certificateAddresses).toEqual(['10.1.2.3', '203.0.113.5']);
  expect(optionsOf({ LYNCEUS_FTP_HOST: '192.0.2.7' }).certificateAddresses).toEqual(['192.0.2.7']);
  expect(optionsOf({}).certificateAddresses).toEqual([]);
});
