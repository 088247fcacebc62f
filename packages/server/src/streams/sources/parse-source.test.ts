import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideCredentials } from './hide-credentials.js';
import { authorityOf, parseSource, type SourceSettings, streamAddress } from './parse-source.js';

test('user name and password are split off the address', () => {
  expect(parseSource({ kind: 'rtsp', url: 'rtsp://admin:p%40ss:w%40rd@192.168.1.5:8554/a?b=1' })).toEqual({
    kind: 'rtsp',
    url: 'rtsp://192.168.1.5:8554/a?b=1',
    username: 'admin',
    password: 'p@ss:w@rd',
  });
  expect(
    parseSource({ kind: 'mjpeg', url: 'http://u:x@cam/', username: 'given', password: 'too' }),
  ).toMatchObject({
    username: 'given',
    password: 'too',
  });
});

test.each([
  [{ kind: 'rtsp', url: 'http://cam/' }, /rtsp:\/\/ or rtsps:\/\//],
  [{ kind: 'hls', url: 'file:///etc/passwd' }, /http:\/\/ or https:\/\//],
  [{ kind: 'rtmp', url: 'rtmp:///x' }, /no valid host/],
  [{ kind: 'rtsp', url: 'rtsp://cam:99999/' }, /no valid host or port/],
  [{ kind: 'rtsp', url: 'rtsp://cam/\u0000' }, /source must have/],
  [{ kind: 'rtsp', url: 'rtsp://cam/a b' }, /no valid host/],
  [{ kind: 'rtsp', url: 'rtsp://cam/x\r\nX: y' }, /source must have/],
  [{ kind: 'hls', url: 'http://999.1.1.1/' }, /no valid host/],
  [{ kind: 'mjpeg', url: 'http://1.2.3.4.5/' }, /no valid host/],
  [{ kind: 'mjpeg', url: 'http://[1::2::3]/' }, /no valid host/],
  [{ kind: 'hls', url: 'https://xn--/' }, /no valid host/],
  [{ kind: 'usb', device: '/etc/passwd' }, /source must have/],
  [{ kind: 'usb', device: '/dev/../etc/passwd' }, /source must have/],
  [{ kind: 'video', videoId: '../x' }, /source must have/],
  [{ kind: 'rtsp' }, /source must have/],
  [null, /source must have/],
])('%j is refused', (input, message) => {
  expect(() => parseSource(input)).toThrow(message);
});

test('addresses keep path and query by the byte', () => {
  expect(streamAddress('rtsp://Cam:554/A%20b//?x=/../y#z')).toEqual({
    scheme: 'rtsp',
    isTls: false,
    host: 'cam',
    port: 554,
    path: '/A%20b//?x=/../y',
  });
  expect(streamAddress('rtsps://[fd00::1]/')).toMatchObject({ isTls: true, host: 'fd00::1', port: 322 });
  const address = streamAddress('rtsps://[fd00::1]:99/');
  expect(address && authorityOf(address)).toBe('[fd00::1]:99');
});

test.each([
  ['rtsp://admin:pw@cam/a', 'rtsp://cam/a'],
  ['rtsp://admin:p@w@cam/a', 'rtsp://***'],
  ['rtsp://admin:12/34@cam/a', 'rtsp://***'],
  ['rtsp://cam/a?password=1@2', 'rtsp://***'],
  ['admin:pw@cam/a', '***'],
  [
    'rtsp://cam/user=admin_password=tl/Jw?p_channel=1_stream=0.sdp?real',
    'rtsp://cam/user=admin_password=***',
  ],
  ['http://cam/a?pwd=a&b#c&channel=2#d', 'http://cam/a?pwd=***&channel=2#d'],
  ['rtsp://***', 'rtsp://***'],
  ['http://cam/a?token=abc&x=1&Password=q;key=3', 'http://cam/a?token=***&x=1&Password=***;key=***'],
  [
    'http://cam/a?api_key=abc&auth=1&user=me&channel=2',
    'http://cam/a?api_key=***&auth=***&user=***&channel=2',
  ],
  ['rtmp://host/live/secret?x=1', 'rtmp://host/live/***'],
  ['rtmp://host/live', 'rtmp://host/live'],
])('%s is shown as %s', (url, shown) => {
  expect(hideCredentials(url)).toBe(shown);
});

const anyPassword = fc.oneof(
  fc.string({ minLength: 4, unit: fc.constantFrom(...'abcXYZ0189/@#?:&=%\\[] ;+!') }),
  fc.string({ minLength: 4 }),
);
/** Pieces that are in no other part of the address. */
const pieces = (password: string) =>
  password
    .split(/[^a-zA-Z0-9]+/)
    .filter((piece) => piece.length > 2 && !'rtsp://cam.example:554/stream'.includes(piece));

test('no password is ever shown, whatever it is made of and wherever it stands', () => {
  fc.assert(
    fc.property(
      anyPassword,
      fc.constantFrom(
        (password: string) => `rtsp://viewer:${password}@cam.example/stream`,
        (password: string) => `http://viewer:${password}@cam.example:554/stream?a=1`,
        (password: string) => `rtmp://${password}@cam.example/stream`,
        (password: string) => `http://cam.example/stream?token=x&password=${password}@cam.example`,
        (password: string) => `http://cam.example/stream?a=1&password=${password.replaceAll('=', '')}`,
        (password: string) => `rtsp://cam.example/user=viewer_password=${password}_stream=0.sdp`,
        (password: string) => `viewer:${password}@cam.example/stream`,
        (password: string) => `rtsp:/viewer:${password}@cam.example/stream`,
      ),
      (password, write) => {
        const shown = hideCredentials(write(password));
        for (const piece of pieces(password)) expect([shown, shown.includes(piece)]).toEqual([shown, false]);
        expect(hideCredentials(shown)).toBe(shown);
      },
    ),
    { numRuns: 2000 },
  );
});

test('an address with a password is refused, or the password is split off it as it is', () => {
  fc.assert(
    fc.property(anyPassword, (password) => {
      let source: SourceSettings | null = null;
      try {
        source = parseSource({ kind: 'rtsp', url: `rtsp://viewer:${password}@cam.example/stream` });
      } catch (error) {
        expect(String(error)).not.toContain(password);
      }
      if (source !== null)
        expect(source).toMatchObject({ url: 'rtsp://cam.example/stream', username: 'viewer' });
      const encoded = encodeURIComponent(password);
      expect(parseSource({ kind: 'rtsp', url: `rtsp://viewer:${encoded}@cam.example/stream` })).toEqual({
        ...{ kind: 'rtsp', url: 'rtsp://cam.example/stream', username: 'viewer', password },
      });
    }),
    { numRuns: 2000 },
  );
});

test.each([
  'rtsp://admin:p@ss#w0rd@host/stream',
  'rtsp://admin:12/34@host/stream',
  'rtsp://admin:12?34@host/stream',
  'rtsp://admin:p@ss@host/stream',
  'rtsp://admin:50%@host/stream',
  'rtsp://admin:päss@host/stream',
  'rtsp://ad/min:pass@host/stream',
  'rtsp://host/stream?password=a@b',
])('%s is refused, for its password may be meant otherwise', (url) => {
  expect(() => parseSource({ kind: 'rtsp', url })).toThrow(/percent-encoded/);
});
