import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskPostgresUrl, readPostgresUrl } from './postgres-address.js';

describe('the address of a PostgreSQL database', () => {
  test('is read with its parts decoded', () => {
    expect(
      readPostgresUrl('postgresql://me%40x:p%40s%2Fs@db.example:6432/pictures?sslmode=verify-full'),
    ).toEqual({
      host: 'db.example',
      port: 6432,
      database: 'pictures',
      user: 'me@x',
      password: 'p@s/s',
      encryption: 'verify-full',
      authoritiesPath: '',
    });
    expect(readPostgresUrl('postgres://me@[::1]/d')).toMatchObject({ host: '::1', port: 5432, password: '' });
    expect(readPostgresUrl('postgres://me@localhost/d?host=/run/postgresql')).toMatchObject({
      host: '/run/postgresql',
    });
    expect(readPostgresUrl('postgres://me@%2Frun%2Fpostgresql/d')).toMatchObject({ host: '/run/postgresql' });
  });

  test.each([
    ['', /form postgres/],
    ['mysql://me:secret@host/d', /form postgres/],
    ['postgres:///d', /form postgres/],
    ['postgres://me:se/cret@host/d', /form postgres|one database/],
    ['postgres://me:secret@host:port/d', /form postgres/],
    ['postgres://me:secret@host', /one database/],
    ['postgres://me:secret@host/', /one database/],
    ['postgres://me:secret@host/a/b', /one database/],
    ['postgres://host/d', /name a user/],
    ['postgres://me:secret%@host/d', /%25/],
    ['postgres://me:secret@host/d?password=secret', /parameters host, sslmode, sslrootcert/],
    ['postgres://me:secret@host/d?sslmode=prefer', /sslmode disable/],
    ['postgres://me:secret@host/d?sslrootcert=/ca.pem', /verify-full only/],
    ['postgres://me:secret@host/d#secret', /form postgres/],
  ])('is refused as %j, with words that do not repeat it', (text, message) => {
    const problem = readPostgresUrl(text);
    expect(problem).toMatch(message);
    expect(problem).not.toContain('secret');
  });

  test('never shows a password, whatever it is made of', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, unit: 'binary' }).filter((text) => !/\p{C}/u.test(text)),
        (password) => {
          for (const written of [password, encodeURIComponent(password)]) {
            const url = `postgres://me:${written}@host/d`;
            const problem = readPostgresUrl(url);
            expect(maskPostgresUrl(url)).not.toContain(written);
            if (typeof problem === 'string') expect(problem).not.toContain(written);
          }
        },
      ),
    );
  });

  test('gives back the password that was encoded into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        expect(readPostgresUrl(`postgres://me:${encodeURIComponent(password)}@host/d`)).toMatchObject({
          password,
        });
      }),
    );
  });
});
