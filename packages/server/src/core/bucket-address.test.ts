import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBucketAddress, showBucketAddress } from './bucket-address.js';

test.each([
  ['s3://images', { bucket: 'images', prefix: '' }],
  ['s3://images/', { bucket: 'images', prefix: '' }],
  ['s3://my.images-1/a', { bucket: 'my.images-1', prefix: 'a/' }],
  ['s3://images/a/b_c/', { bucket: 'images', prefix: 'a/b_c/' }],
])('%s is read', (text, address) => {
  expect(readBucketAddress(text)).toEqual(address);
});

test.each([
  'images',
  'http://images',
  's3://',
  's3://Images',
  's3://a',
  's3://images//a',
  's3://images/../a',
  's3://images/a b',
  's3://images/a?b',
  's3://user:secret@images/a',
  `s3://images/${'a'.repeat(600)}`,
])('%s is refused, in words', (text) => {
  expect(readBucketAddress(text)).toEqual(expect.any(String));
});

test('what is read is shown so that it is read again', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9_=-]{1,20}$/);
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,20}[a-z0-9]$/),
      fc.array(part, { maxLength: 5 }),
      (bucket, parts) => {
        const address = readBucketAddress(['s3:/', bucket, ...parts].join('/'));
        expect(address).toEqual({ bucket, prefix: parts.map((each) => `${each}/`).join('') });
        if (typeof address !== 'string')
          expect(readBucketAddress(showBucketAddress(address))).toEqual(address);
      },
    ),
  );
});
