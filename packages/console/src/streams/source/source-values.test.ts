import type { StreamSource } from '@lynceus/client';
import { describe, expect, test } from 'vitest';
import {
  emptySource,
  fateOfPassword,
  fateOfSubstreamPassword,
  kindOf,
  missingFields,
  sourceOf,
  valuesOf,
} from './source-values.js';

const camera: StreamSource = {
  kind: 'rtsp',
  address: 'rtsp://192.168.1.20/stream1',
  username: 'viewer',
  has_password: true,
  transport: 'udp',
  device: null,
  video_id: null,
  certificate_unchecked: false,
  substream: {
    address: 'rtsp://192.168.1.20/stream2',
    username: null,
    has_password: false,
    transport: 'tcp',
  },
};

describe('the form of a source', () => {
  test('sends what the service showed, without what is stored', () => {
    expect(sourceOf(valuesOf(camera))).toEqual({
      kind: 'rtsp',
      address: 'rtsp://192.168.1.20/stream1',
      username: 'viewer',
      transport: 'udp',
      substream: { address: 'rtsp://192.168.1.20/stream2', transport: 'tcp' },
    });
  });

  test('sends only what its kind takes', () => {
    const values = { ...valuesOf(camera), password: ' kept as it is ', isUnchecked: true };
    expect(sourceOf({ ...values, kind: 'usb', device: ' /dev/video1 ' })).toEqual({
      kind: 'usb',
      device: '/dev/video1',
    });
    expect(sourceOf({ ...values, kind: 'video', video: 1001 })).toEqual({ kind: 'video', video_id: 1001 });
    expect(
      sourceOf({ ...values, kind: 'mjpeg', address: ' https://cam/video ', hasSubstream: false }),
    ).toEqual({
      kind: 'mjpeg',
      address: 'https://cam/video',
      username: 'viewer',
      password: ' kept as it is ',
      certificate_unchecked: true,
    });
  });

  test('names the missing fields', () => {
    expect(missingFields(emptySource)).toEqual(['address']);
    expect(missingFields({ ...emptySource, address: 'rtsp://a', hasSubstream: true })).toEqual([
      'substream.address',
    ]);
    expect(missingFields({ ...emptySource, kind: 'video' })).toEqual(['video']);
    expect(missingFields({ ...emptySource, kind: 'usb', device: ' ' })).toEqual(['device']);
  });

  test('sends the credentials of the second stream where they are typed', () => {
    const values = valuesOf(camera);
    const substream = { ...values.substream, username: ' small ', password: 'p' };
    expect(sourceOf({ ...values, substream }).substream).toEqual({
      address: 'rtsp://192.168.1.20/stream2',
      username: 'small',
      password: 'p',
      transport: 'tcp',
    });
  });

  test('says when another kind, host or user loses the stored password', () => {
    const values = valuesOf(camera);
    expect(fateOfPassword(camera, { ...values, address: 'rtsp://192.168.1.20/other?a=1' })).toBe('kept');
    expect(fateOfPassword(camera, { ...values, address: 'rtsp://192.168.1.21/stream1' })).toBe('lost');
    expect(fateOfPassword(camera, { ...values, kind: 'rtmp' })).toBe('lost');
    expect(fateOfPassword(camera, { ...values, username: 'admin' })).toBe('lost');
    expect(fateOfPassword(camera, { ...values, username: 'admin', password: 'new' })).toBe('none');
    expect(fateOfPassword({ ...camera, has_password: false }, values)).toBe('none');
  });

  test('says the same of the password of the second stream', () => {
    const substream = { address: 'rtsp://192.168.1.20/2', username: 's', has_password: true };
    const stored: StreamSource = { ...camera, substream: { ...substream, transport: 'tcp' } };
    const values = valuesOf(stored);
    const change = (to: Partial<typeof values.substream>) =>
      fateOfSubstreamPassword(stored, { ...values, substream: { ...values.substream, ...to } });
    expect(change({})).toBe('kept');
    expect(change({ address: 'rtsp://192.168.1.30/2' })).toBe('lost');
    expect(change({ username: '' })).toBe('lost');
    expect(change({ username: '', password: 'new' })).toBe('none');
    expect(fateOfSubstreamPassword(camera, valuesOf(camera))).toBe('none');
  });
});

test.each([
  ['rtsp://a/b', 'mjpeg', 'rtsp'],
  ['RTMPS://a/b', 'rtsp', 'rtmp'],
  ['https://a/live.m3u8?x', 'rtsp', 'hls'],
  ['http://a/playlist', 'hls', 'hls'],
  ['http://a/video', 'rtsp', 'mjpeg'],
  ['192.168.1.20', 'rtsp', 'rtsp'],
] as const)('%s is of the kind that its scheme says', (address, chosen, kind) => {
  expect(kindOf(address, chosen)).toBe(kind);
});
