import { expect, test } from 'vitest';
import { localDeps } from '../fixtures/test-stream.js';
import { createSource } from './open-source.js';

const never = new AbortController().signal;

test('a video device is read when the operator has listed it, by its exact path', async () => {
  const deps = { ...localDeps, devices: ['/dev/video0'] };
  const opened = await createSource({ kind: 'usb', device: '/dev/video0' }, deps).open(never);
  expect(opened.inputArgs).toEqual(['-f', 'v4l2', '-i', '/dev/video0']);
  expect(opened.copyArgs).toBeNull();
  for (const device of ['/dev/video1', '/dev/video', '/dev//video0']) {
    expect(() => createSource({ kind: 'usb', device }, deps)).toThrow(
      expect.objectContaining({ code: 'settings', message: expect.stringContaining('streamDevices') }),
    );
  }
});

test('an uploaded video is a file, opened as a container alone', async () => {
  const deps = { ...localDeps, videoPath: (id: string) => `/data/videos/${id}` };
  const opened = await createSource({ kind: 'video', videoId: 'abc' }, deps).open(never);
  expect(opened.inputArgs.join(' ')).toBe(
    '-protocol_whitelist file -format_whitelist mov,matroska,avi,mpegts -i file:/dev/fd/6',
  );
  expect(opened.inputPath).toBe('/data/videos/abc');
});

test('a camera that is away is a failure at once, for every kind', async () => {
  for (const [kind, url] of [
    ['rtsp', 'rtsp://127.0.0.1:9/cam'],
    ['rtsp', 'rtsps://127.0.0.1:10009/cam'],
    ['rtmp', 'rtmp://127.0.0.1:10009/live/cam'],
    ['hls', 'http://127.0.0.1:10009/'],
    ['mjpeg', 'https://127.0.0.1:10009/'],
  ] as const) {
    await expect(createSource({ kind, url }, localDeps).open(never)).rejects.toMatchObject({
      name: 'StreamFailure',
    });
  }
});

test('opening ends with its signal', async () => {
  const controller = new AbortController();
  const reach = () => new Promise<never>(() => undefined);
  controller.abort(new Error('enough'));
  const source = createSource({ kind: 'rtsp', url: 'rtsp://127.0.0.1/cam' }, { ...localDeps, reach });
  await expect(source.open(controller.signal)).rejects.toThrow('enough');
});
