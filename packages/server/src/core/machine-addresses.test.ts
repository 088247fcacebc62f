import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { machineAddresses } from './machine-addresses.js';

const four = (address: string, internal = false): NetworkInterfaceInfo => ({
  ...{ address, internal, family: 'IPv4', netmask: '255.255.255.0', mac: '', cidr: null },
});
const six = (address: string): NetworkInterfaceInfo => ({
  ...{ address, internal: false, family: 'IPv6', netmask: '', mac: '', cidr: null, scopeid: 0 },
});
const interfaces = {
  lo: [four('127.0.0.1', true)],
  eth0: [six('fe80::1'), six('2001:db8::7'), four('192.168.1.7')],
  wlan0: [four('10.0.0.7')],
};

test.each([
  ['0.0.0.0', ['192.168.1.7', '10.0.0.7']],
  ['::', ['192.168.1.7', '10.0.0.7', '2001:db8::7']],
  ['192.168.1.7', ['192.168.1.7']],
  ['127.0.0.1', []],
  ['localhost', []],
  ['::1', []],
])('what listens on %s is reached by others at %j', (host, addresses) => {
  expect(machineAddresses(host, interfaces)).toEqual(addresses);
});
