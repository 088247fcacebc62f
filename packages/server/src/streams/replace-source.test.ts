import { expect, test } from 'vitest';
import { createSecretBox } from '../storage/secrets/secret-box.js';
import { replaceSource } from './replace-source.js';
import { fromRow, toRow } from './source-rows.js';
import type { SourceInput } from './stream.js';

const box = createSecretBox([Buffer.alloc(32, 7)]);
const kept = (source: SourceInput) => fromRow(toRow(replaceSource(null, source), box, 'u'), box, 'u');
const rtsp = { kind: 'rtsp', address: 'rtsp://admin:secret@10.0.0.1/live?token=t' } as const;

test.each<[string, SourceInput, string | undefined]>([
  ['another path', { kind: 'rtsp', address: 'rtsp://10.0.0.1/other', username: 'admin' }, 'secret'],
  [
    'the address as it is shown',
    { kind: 'rtsp', address: 'rtsp://10.0.0.1/live?token=***', username: 'admin' },
    'secret',
  ],
  ['another host', { kind: 'rtsp', address: 'rtsp://10.0.0.2/live', username: 'admin' }, undefined],
  ['another port', { kind: 'rtsp', address: 'rtsp://10.0.0.1:8554/live', username: 'admin' }, undefined],
  ['another scheme', { kind: 'rtsp', address: 'rtsps://10.0.0.1:554/live', username: 'admin' }, undefined],
  ['another user', { kind: 'rtsp', address: 'rtsp://10.0.0.1/live', username: 'root' }, undefined],
  ['no user', { kind: 'rtsp', address: 'rtsp://10.0.0.1/live' }, undefined],
  ['another kind', { kind: 'mjpeg', address: 'http://10.0.0.1/live', username: 'admin' }, undefined],
  ['null', { ...rtsp, address: 'rtsp://10.0.0.1/live', username: 'admin', password: null }, undefined],
  ['a new one', { ...rtsp, address: 'rtsp://10.0.0.1/live', username: 'admin', password: 'new' }, 'new'],
])('with %s the password is kept only for the same host and user', (_, source, password) => {
  const { main } = replaceSource(kept(rtsp), source);
  expect('password' in main ? main.password : undefined).toBe(password);
});

test('an address as it is shown stands for the one that is kept', () => {
  const { main } = replaceSource(kept(rtsp), {
    kind: 'rtsp',
    address: 'rtsp://10.0.0.1/live?token=***',
    username: 'admin',
  });
  expect(main).toMatchObject({ url: 'rtsp://10.0.0.1/live?token=t' });
});

test('hidden values of another address are refused', () => {
  expect(() =>
    replaceSource(kept(rtsp), { kind: 'rtsp', address: 'rtsp://10.9.9.9/live?token=***' }),
  ).toThrow('source.address has hidden values');
});

test.each<[SourceInput, RegExp]>([
  [{ kind: 'rtsp' }, /source\.address must be given/],
  [{ kind: 'usb' }, /source\.device must be given/],
  [{ kind: 'video' }, /source\.video_id must be given/],
  [{ kind: 'rtsp', address: 'http://10.0.0.1/' }, /source\.address: .*rtsp:\/\//],
  [{ kind: 'rtsp', address: 'file:///etc/passwd' }, /source\.address/],
  [{ kind: 'hls', address: 'rtsp://10.0.0.1/' }, /source\.address: .*http:\/\//],
  [{ kind: 'rtsp', address: 'rtsp://10.0.0.1:99999/' }, /source\.address/],
  [
    { kind: 'rtsp', address: 'rtsp://admin:p@ss#w0rd@10.0.0.1/live' },
    /^source\.address: .*percent-encoded.* as source\.username and source\.password$/,
  ],
  [
    { kind: 'mjpeg', address: 'http://10.0.0.1/', substream: { address: 'http://a:12/34@10.0.0.1/' } },
    /^source\.substream\.address: .* as source\.substream\.username and source\.substream\.password$/,
  ],
  [
    { kind: 'rtsp', address: 'rtsp://10.0.0.1/', substream: { address: 'nonsense' } },
    /source\.substream\.address/,
  ],
  [{ kind: 'hls', address: 'http://10.0.0.1/', transport: 'udp' }, /source\.transport has no use/],
  [{ kind: 'usb', device: '/dev/video0', address: 'rtsp://10.0.0.1/' }, /source\.address has no use/],
  [{ kind: 'usb', device: '/dev/../etc/passwd', password: 'x' }, /source\.password has no use/],
  [{ kind: 'usb', device: 'video0; rm -rf /' }, /source\.device/],
  [{ kind: 'rtsp', address: 'rtsp://10.0.0.1/', videoId: 3 }, /source\.video_id has no use/],
])('%j is refused, naming the field', (source, message) => {
  expect(() => replaceSource(null, source)).toThrow(message);
});

test('sources without an address need nothing sealed', () => {
  for (const source of [
    { kind: 'usb', device: '/dev/video0' },
    { kind: 'video', videoId: 1001 },
  ] as const) {
    const row = toRow(replaceSource(null, source), box, 'u');
    expect(row.sealed_secrets).toBeNull();
    expect(fromRow(row, box, 'u').whole).toEqual(replaceSource(null, source));
  }
});

test('a source sealed for one stream is not opened for another', () => {
  expect(fromRow(toRow(replaceSource(null, rtsp), box, 'one'), box, 'two').whole).toBeNull();
});

test('what earlier versions took for host or path is shown no more, and their streams still run', () => {
  const url = 'rtsp://ss#w0rd@10.0.0.1/live';
  const whole = { main: { kind: 'rtsp', url } as const, substream: null };
  const row = toRow(whole, box, 'u');
  const old = { ...row, source: row.source.replace('rtsp://***', url) };
  expect(old.source).toContain('w0rd');
  const { shown, whole: opened } = fromRow(old, box, 'u');
  expect(shown.address).toBe('rtsp://***');
  expect(opened).toEqual(whole);
});
