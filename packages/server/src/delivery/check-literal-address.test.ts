import { expect, test } from 'vitest';
import { parseNetworks } from '../intake/public-address.js';
import { checkLiteralAddress } from './check-literal-address.js';
import type { DestinationSettings } from './destination-settings.js';

const local = parseNetworks('deliveryAllowedNetworks', '192.168.1.0/24');
const ftp = (host: string): DestinationSettings => ({ kind: 'ftp', host, user: 'desk' });
const s3 = (endpoint: string): DestinationSettings => ({
  ...{ kind: 's3', endpoint, region: 'us-east-1', bucket: 'images', accessKeyId: 'id' },
});

test.each([
  [ftp('192.168.2.5'), '192.168.2.5/32'],
  [{ kind: 'sftp', host: '127.0.0.1', user: 'desk' } as const, '127.0.0.1/32'],
  [{ kind: 'http', address: 'http://10.0.0.5:8080/in' } as const, '10.0.0.5/32'],
  [{ kind: 'http', address: 'http://[::1]:8080/in' } as const, '::1/128'],
  [s3('http://192.168.2.5:9000'), '192.168.2.5/32'],
])(
  'a private address that the operator has not allowed is refused with the setting: %j',
  (settings, network) => {
    expect(() => checkLiteralAddress(settings, local)).toThrow(
      `LYNCEUS_DELIVERY_ALLOWED_NETWORKS=${network}`,
    );
  },
);

test.each([
  ftp('192.168.1.5'),
  ftp('93.184.216.34'),
  ftp('nas.local'),
  s3('https://s3.example'),
  { kind: 'folder', folder: '/srv/images' } as const,
])('an allowed or public address, and a name, are accepted: %j', (settings) => {
  expect(() => checkLiteralAddress(settings, local)).not.toThrow();
});
