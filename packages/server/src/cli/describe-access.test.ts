import { expect, test } from 'vitest';
import { loadSettings } from '../core/load-settings.js';
import { machineAddresses } from '../core/machine-addresses.js';
import { describeAccess, describeMissing, describeUpload } from './describe-access.js';

const drop = { userName: 'desk-1' };

function openWith(env: Readonly<Record<string, string>>, own: string | null = null) {
  return { settings: loadSettings({ env, cwd: '/' }).settings, hostOf: () => own };
}

test('a server that listens on every address is named by the addresses of this machine', () => {
  const open = openWith({ LYNCEUS_FTP_PORT: '2121', LYNCEUS_FTP_HOST: '0.0.0.0' });
  const found = machineAddresses('0.0.0.0');
  const hosts = found.length > 0 ? found : ['127.0.0.1'];
  expect(describeAccess(open, drop)).toEqual([
    `Host:      ${hosts.join(' or ')}`,
    'Port:      2121',
    'User name: desk-1',
  ]);
  expect(describeUpload(open, drop, 'KEY')).toContain(`ftp://${hosts[0]}:2121/incoming/`);
  expect(describeMissing(open)).toEqual([]);
});

test('a server that only this machine reaches says which setting is missing', () => {
  const open = openWith({ LYNCEUS_FTP_PORT: '2121' });
  expect(describeAccess(open, drop)[0]).toBe('Host:      127.0.0.1');
  expect(describeMissing(open)).toEqual([
    'FTP is reachable from this machine only: set LYNCEUS_FTP_HOST=0.0.0.0 for cameras and others.',
  ]);
});

test('without a port, the settings are named, and no command is shown that cannot work', () => {
  const open = openWith({});
  expect(describeUpload(open, drop, 'KEY')).toBeNull();
  expect(describeMissing(open).join()).toMatch(/set LYNCEUS_FTP_PORT=2121 or LYNCEUS_SFTP_PORT=2222/);
});

test('with SFTP alone, the command uploads by SFTP', () => {
  const open = openWith({ LYNCEUS_SFTP_PORT: '2222', LYNCEUS_SFTP_HOST: '192.0.2.7' });
  expect(describeUpload(open, drop, 'KEY')).toBe(
    'curl -k -T IMG_1.jpg --user desk-1:KEY sftp://192.0.2.7:2222/incoming/',
  );
  expect(describeMissing(open)).toEqual([]);
});

test('the host name of the drop, and the published address, come before those of the machine', () => {
  const env = { LYNCEUS_FTP_PORT: '2121', LYNCEUS_FTP_PUBLIC_ADDRESS: '192.0.2.10' };
  expect(describeAccess(openWith(env), drop)[0]).toBe('Host:      192.0.2.10');
  expect(describeAccess(openWith(env, 'desk-1.drop.example'), drop)[0]).toBe(
    'Host:      desk-1.drop.example',
  );
});
