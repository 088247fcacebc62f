import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerDigest, createAuthenticator, parseChallenges } from './http-auth.js';

/** RFC 7616, section 3.9.1. */
const example = {
  header:
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
  credentials: { username: 'Mufasa', password: 'Circle of Life' },
  request: {
    method: 'GET',
    uri: '/dir/index.html',
    count: 1,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  },
};

test('digests are those of the examples in RFC 7616', () => {
  const { header, credentials, request } = example;
  const answer = (algorithm: string) => {
    const [challenge] = parseChallenges(header.replace('SHA-256', algorithm));
    return answerDigest(challenge?.params ?? new Map(), credentials, request);
  };
  expect(answer('SHA-256')).toContain(
    'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  );
  expect(answer('MD5')).toContain('response="8ca523f5e9506fed4657c9700eebdbec"');
});

test('a digest without qop is that of the example in RFC 2069, as corrected', () => {
  const [challenge] = parseChallenges(
    'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
  );
  const credentials = { username: 'Mufasa', password: 'CircleOfLife' };
  const request = { method: 'GET', uri: '/dir/index.html', count: 1, cnonce: '' };
  const answer = answerDigest(challenge?.params ?? new Map(), credentials, request);
  expect(answer).toContain('response="1949323746fe6a43ef61f9606e7febea"');
  expect(answer).not.toContain('cnonce');
});

test('nothing is sent before the server asks, and the strongest of its offers is taken', () => {
  const authenticator = createAuthenticator({ username: 'a', password: 'b' });
  expect(authenticator.authorize('GET', '/')).toBeUndefined();
  const offers = [
    'Basic realm="x"',
    'Digest realm="x", nonce="1"',
    'Digest realm="x", nonce="1", algorithm=SHA-256, qop="auth"',
  ];
  expect(authenticator.accept(offers)).toBe(true);
  expect(authenticator.authorize('GET', '/')).toMatch(/^Digest .*algorithm=SHA-256, qop=auth, nc=00000001/);
  expect(authenticator.authorize('GET', '/')).toContain('nc=00000002');
});

test('a server that asks again has refused, unless its nonce was stale or had been accepted before', () => {
  const ask = (nonce: string, stale = '') => [`Digest realm="x", nonce="${nonce}"${stale}`];
  const authenticator = createAuthenticator({ username: 'a', password: 'b' });
  expect(authenticator.accept(ask('1'))).toBe(true);
  authenticator.authorize('GET', '/');
  expect(authenticator.accept(ask('1'))).toBe(false);
  expect(authenticator.accept(ask('2'))).toBe(false);
  expect(authenticator.accept(ask('2', ', stale=TRUE'))).toBe(true);
  authenticator.authorize('GET', '/');
  authenticator.authorize('GET', '/');
  expect(authenticator.accept(ask('3'))).toBe(true);
});

test('without user and password, and for what it does not know, it answers nothing', () => {
  expect(createAuthenticator(null).accept(['Basic realm="x"'])).toBe(false);
  const authenticator = createAuthenticator({ username: 'a', password: 'b' });
  for (const header of [
    '',
    'Negotiate',
    'Digest realm="x", nonce="1", algorithm=SHA-512',
    'Digest realm="x", nonce="1", qop="auth-int"',
    'Digest realm="x"',
  ]) {
    expect(authenticator.accept([header])).toBe(false);
  }
});

test('whatever a server sends as challenge, the answer is one line of visible characters', () => {
  const text = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(text, text, text, (realm, nonce, rest) => {
      const authenticator = createAuthenticator({ username: 'us"er', password: 'p' });
      authenticator.accept([`Digest realm="${realm}", nonce="${nonce}", ${rest}`]);
      expect(authenticator.authorize('GET', '/') ?? '').toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
