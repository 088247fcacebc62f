import { expect, test } from 'vitest';
import { createFrameChannel, type FrameChannel } from './frame-channel.js';
import type { LivePreview } from './live-preview.js';
import { createPreviews, withView } from './previews.js';
import { drawOnce, type ShownFrame } from './shown-frame.js';

const frameOf = (index: number): ShownFrame => ({
  ...{ index, atMs: index, width: 1, height: 1, result: null, marks: [] },
  toJpeg: async () => null,
});

function livePreview(): LivePreview {
  const channel = createFrameChannel();
  return { channel, show: () => undefined, end: channel.end };
}

/** Previews, and the channels that stand for other services. */
function open() {
  const remote: FrameChannel[] = [];
  const previews = createPreviews({
    createRemote(_accountId, _streamId, onIdle) {
      const channel = createFrameChannel((watchers) => watchers === 0 && onIdle());
      remote.push(channel);
      return channel;
    },
  });
  return { previews, remote };
}

test('whoever watches gets the newest frame, and misses those that came while they were slow', async () => {
  const { previews } = open();
  const preview = livePreview();
  previews.add(1, 7, preview);
  const stop = new AbortController();
  const view = previews.watch(1, 7, stop.signal);
  const first = view.next(60_000);
  preview.channel.show(frameOf(1));
  expect((await first)?.index).toBe(1);
  for (const index of [2, 3, 4]) preview.channel.show(frameOf(index));
  expect((await view.next(60_000))?.index).toBe(4);
  expect(await view.next(20)).toBeNull();
  const next = view.next(60_000);
  stop.abort();
  expect(await next).toBeNull();
  expect(preview.channel.watchers).toBe(0);
});

test('all who watch a stream of another service share one channel, which goes with the last of them', async () => {
  const { previews, remote } = open();
  const stops = [new AbortController(), new AbortController()];
  const views = stops.map(({ signal }) => previews.watch(1, 7, signal).next(60_000));
  remote[0]?.show(frameOf(1));
  await Promise.all(views);
  expect(remote.map(({ watchers }) => watchers)).toEqual([2]);
  for (const stop of stops) stop.abort();
  expect(remote.map(({ watchers }) => watchers)).toEqual([0]);
  const stop = new AbortController();
  const again = previews.watch(1, 7, stop.signal).next(60_000);
  expect(remote).toHaveLength(2);
  stop.abort();
  await again;
});

test('a view goes on when this service takes the stream, and when another does', async () => {
  const { previews, remote } = open();
  const { signal } = new AbortController();
  const view = previews.watch(1, 7, signal);
  const first = view.next(60_000);
  remote[0]?.show(frameOf(100));
  expect((await first)?.index).toBe(100);
  const preview = livePreview();
  const second = view.next(60_000);
  const remove = previews.add(1, 7, preview);
  preview.channel.show(frameOf(1));
  expect((await second)?.index).toBe(1);
  const third = view.next(60_000);
  remove();
  preview.end();
  await expect.poll(() => remote.length).toBe(2);
  remote[1]?.show(frameOf(1));
  expect((await third)?.index).toBe(1);
});

test('a frame is drawn once for all who want it alike, and again where it could not be', async () => {
  const drawn: string[] = [];
  const draw = drawOnce(async ({ hasBoxes, maxSidePx }) => {
    drawn.push(`${hasBoxes} ${maxSidePx}`);
    return drawn.length < 3 ? null : new Uint8Array([drawn.length]);
  });
  const alike = { hasBoxes: true, maxSidePx: 100 };
  expect(await Promise.all([draw(alike), draw(alike)])).toEqual([null, null]);
  await draw({ hasBoxes: false, maxSidePx: 100 });
  expect([await draw(alike), await draw(alike)]).toEqual([new Uint8Array([3]), new Uint8Array([3])]);
  expect(drawn).toEqual(['true 100', 'false 100', 'true 100']);
});

test('what watches for the time of some work is no watcher afterwards', async () => {
  const channel = createFrameChannel();
  const previews = createPreviews({ createRemote: () => channel });
  const { signal } = new AbortController();
  await withView(previews, { accountId: 1, streamId: 1 }, signal, async (view) => {
    expect(await view.next(1)).toBeNull();
    expect(channel.watchers).toBe(1);
  });
  expect(channel.watchers).toBe(0);
});
