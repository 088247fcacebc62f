import { expect, test } from 'vitest';
import { createStreamHosts } from './stream-hosts.js';

const never = new AbortController().signal;
const listing = (streamAllowedNetworks = '') => ({ streamAllowedNetworks, openSignUp: false });
const reach = (networks: string, ip: string, port = 554) =>
  createStreamHosts(listing(networks), async () => [ip])('camera', port, never);

test.each(['10.1.2.3', '172.16.0.9', '192.168.1.64', '8.8.8.8', 'fd12:3456::1', '2606:4700::1111'])(
  '%s is allowed',
  async (ip) => {
    expect(await reach('', ip)).toEqual([ip]);
  },
);

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  'fd00:ec2::254',
  'fd20:ce::254',
])('%s is refused, as its name and as an address', async (ip) => {
  await expect(reach('', ip)).rejects.toMatchObject({ code: 'refused' });
  await expect(createStreamHosts(listing())(ip, 554, never)).rejects.toMatchObject({ code: 'refused' });
  await expect(createStreamHosts(listing())(`[${ip}]`, 554, never)).rejects.toMatchObject({
    code: 'refused',
  });
});

test('with a list of networks only these are allowed, and all that they hold', async () => {
  expect(await reach('127.0.0.0/8, fe80::/10', '127.0.0.1')).toEqual(['127.0.0.1']);
  expect(await reach('127.0.0.0/8, fe80::/10', 'fe80::1')).toEqual(['fe80::1']);
  for (const ip of ['10.0.0.1', '8.8.8.8', 'fd00::1']) {
    await expect(reach('127.0.0.0/8', ip)).rejects.toMatchObject({ code: 'refused' });
  }
  expect(() => createStreamHosts(listing('10.0.0.0'))).toThrow(
    /streamAllowedNetworks: 10\.0\.0\.0 is not a network/,
  );
});

test('where anybody may sign up private networks are refused unless they are listed', async () => {
  const reachOpen = (streamAllowedNetworks: string, ip: string) =>
    createStreamHosts({ streamAllowedNetworks, openSignUp: true }, async () => [ip])('camera', 554, never);
  for (const ip of [
    '10.1.2.3',
    '172.16.0.9',
    '192.168.1.64',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
    '127.0.0.1',
  ]) {
    await expect(reachOpen('', ip)).rejects.toMatchObject({ code: 'refused' });
  }
  expect(await reachOpen('', '8.8.8.8')).toEqual(['8.8.8.8']);
  expect(await reachOpen('192.168.1.0/24', '192.168.1.64')).toEqual(['192.168.1.64']);
  await expect(reachOpen('192.168.1.0/24', '192.168.2.64')).rejects.toMatchObject({ code: 'refused' });
});

test('one refused address among allowed ones is refused, and a name without any is not there', async () => {
  const resolve = async (host: string) => (host === 'none' ? [] : ['192.168.1.2', '127.0.0.1']);
  const hosts = createStreamHosts(listing(), resolve);
  await expect(hosts('both', 554, never)).rejects.toMatchObject({ code: 'refused' });
  await expect(hosts('none', 554, never)).rejects.toMatchObject({ code: 'unreachable' });
  await expect(createStreamHosts(listing())('localhost', 554, never)).rejects.toMatchObject({
    code: 'refused',
  });
});

test('ports of other protocols are refused', async () => {
  for (const port of [21, 22, 25, 53, 445, 6379 - 6357, 2049, 6666]) {
    await expect(reach('', '10.0.0.1', port)).rejects.toMatchObject({ code: 'refused' });
  }
  for (const port of [80, 81, 88, 443, 554, 1935, 8080, 8554])
    expect(await reach('', '10.0.0.1', port)).toHaveLength(1);
});
