import type { DropDestination } from '@lynceus/client';
import { describe, expect, test } from 'vitest';
import { destinationOf, findFault, missingFields, valuesOf } from './destination-values.js';

const sftp: DropDestination = {
  kind: 'sftp',
  host: 'sftp.example',
  port: 2222,
  user: 'desk',
  path: '{year}/{name}',
  secrets: ['password'],
};
const filled = (kind: 'sftp' | 's3', fields: object) => {
  const empty = valuesOf(null);
  return { kind, fields: { ...empty.fields, ...fields } };
};

describe('the form of a destination', () => {
  test('returns what the service reported, without the stored secrets', () => {
    const { secrets: _, ...destination } = sftp;
    expect(destinationOf(valuesOf(sftp))).toEqual(destination);
  });

  test('of no destination is empty', () => {
    expect(destinationOf(valuesOf(null))).toBeNull();
    expect(missingFields(valuesOf(null))).toEqual([]);
  });

  test('sends only fields of its kind, and secrets separately', () => {
    const values = filled('s3', {
      host: 'left over',
      endpoint: ' https://s3.example ',
      region: 'r',
      bucket: 'b',
      access_key_id: 'a',
      secret_access_key: ' kept as it is ',
      path_style: 'false',
    });
    expect(destinationOf(values)).toEqual({
      kind: 's3',
      endpoint: 'https://s3.example',
      region: 'r',
      bucket: 'b',
      access_key_id: 'a',
      path_style: false,
      secrets: { secret_access_key: ' kept as it is ' },
    });
  });

  test('names the missing fields', () => {
    expect(missingFields(filled('sftp', { host: 'a', user: ' ' }))).toEqual(['user']);
  });
});

test.each([
  ['destination.port must be a port from 1 to 65535', 'port'],
  ['destination.secrets.private_key must be a key', 'private_key'],
])('%s belongs to the field %s', (message, field) => {
  expect(findFault(message)).toMatchObject({ field, text: expect.stringMatching(/^must be/) });
});

test('an error about no field has no field', () => {
  expect(findFault('destination: sftp needs the secret password')).toBeNull();
  expect(findFault('name must be shorter')).toBeNull();
});
