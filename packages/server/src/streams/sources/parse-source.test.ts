import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideCredentials } from './hide-credentials.js';
import { authorityOf, parseSource, streamAddress } from './parse-source.js';

test('user name and password are split off the address', () => {
  expect(parseSource({ kind: 'rtsp', url: 'rtsp://admin:p%40ss:w@rd@192.168.1.5:8554/a?b=1' })).toEqual({
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
  ['rtsp://admin:p@w@cam/a', 'rtsp://cam/a'],
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

test('no password is ever shown, whatever it is made of', () => {
  const visible = fc.string({ minLength: 6, unit: fc.constantFrom(...'abcXYZ019!$&*+,;=:@~-._%') });
  fc.assert(
    fc.property(visible, (password) => {
      const shown = hideCredentials(`rtsp://admin:${password}@10.0.0.1/stream`);
      expect(shown).toBe('rtsp://10.0.0.1/stream');
    }),
  );
});
