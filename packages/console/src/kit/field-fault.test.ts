import { expect, test } from 'vitest';
import { findFieldFault } from './field-fault.js';

const fields = { 'settings.url': 'url', port: 'port', allowed_networks: 'networks' } as const;

test.each([
  ['settings.url must be an address', 'url', 'Must be an address'],
  ['port: 80 is not allowed', 'port', '80 is not allowed'],
  ['port 5000 has a listener already', 'port', '5000 has a listener already'],
  ['allowed_networks[1] must be a network', 'networks', 'Must be a network'],
  ['allowed_networks.0 must be a network', 'networks', 'Must be a network'],
])('“%s” belongs to the field %s', (message, field, text) => {
  expect(findFieldFault(new Error(message), fields)).toEqual({ field, text });
});

test.each(['settings: nothing fits', 'settings.urls are many', 'constructor is none', 'Port 80 is in use'])(
  '“%s” belongs to no field',
  (message) => {
    expect(findFieldFault(new Error(message), fields)).toBeNull();
  },
);
