import { frigateVersion, toFrigateStats } from '../../streams/outputs/frigate/frigate-stats.js';
import type { Camera } from '../../streams/outputs/read-cameras.js';
import type { CompatHandler } from '../common/compat-route.js';
import { sendBytes } from './answers.js';
import { accountOf, type FrigateDeps } from './call.js';

/** Of a camera that has shown no frame yet. */
const usualSize = { width: 1280, height: 720 };
/** Classes of a stream that follows every class of its model. */
const usualLabels = ['person', 'bicycle', 'car', 'motorcycle', 'bus', 'truck', 'bird', 'cat', 'dog'];

/** `GET /api/version`, as text. */
export function answerVersion(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    await accountOf(deps, request);
    return sendBytes('text/plain; charset=utf-8', frigateVersion);
  };
}

/** `GET /api/stats`. */
export function answerStats(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    const cameras = await deps.frigateStore.cameras(await accountOf(deps, request));
    return { body: toFrigateStats(cameras, process.uptime()) };
  };
}

/** `GET /api/config`: of Frigate's configuration what its clients read. Addresses and passwords of cameras are none of it. */
export function answerConfig(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    const accountId = await accountOf(deps, request);
    const [cameras, prefix] = await Promise.all([
      deps.frigateStore.cameras(accountId),
      deps.frigateStore.topicPrefix(accountId),
    ]);
    return {
      body: {
        version: '0.14',
        mqtt: { enabled: prefix !== null, topic_prefix: prefix ?? 'frigate', client_id: 'frigate' },
        cameras: Object.fromEntries(cameras.map((camera, order) => [camera.camera, toCamera(camera, order)])),
        detectors: { lynceus: { type: 'lynceus' } },
        objects: { track: usualLabels, filters: {}, mask: '' },
        birdseye: { enabled: false, restream: false, mode: 'objects' },
        go2rtc: { streams: {} },
        record: { enabled: false },
        snapshots: { enabled: cameras.some(({ settings }) => settings.snapshots) },
        camera_groups: {},
        plus: { enabled: false },
        ui: {},
      },
    };
  };
}

function toCamera({ camera, isEnabled, settings, state }: Camera, order: number) {
  const width = state?.width ?? usualSize.width;
  const height = state?.height ?? usualSize.height;
  const toPixels = (polygon: readonly (readonly [number, number])[]) =>
    polygon.map(([x, y]) => `${Math.round(x * width)},${Math.round(y * height)}`).join(',');
  const labels = settings.classes.map(({ label }) => label);
  return {
    name: camera,
    enabled: isEnabled,
    detect: { enabled: isEnabled, width, height, fps: settings.fps },
    objects: { track: labels.length > 0 ? labels : usualLabels, filters: {}, mask: '' },
    zones: Object.fromEntries(
      settings.zones.map(({ name, polygon, classes }) => [
        name,
        { coordinates: toPixels(polygon), objects: classes, filters: {}, inertia: 3 },
      ]),
    ),
    motion: { enabled: settings.motionGate, mask: settings.masks.map(toPixels) },
    snapshots: { enabled: settings.snapshots },
    record: { enabled: settings.clips, enabled_in_config: settings.clips },
    rtmp: { enabled: false },
    live: { stream_name: camera, height, quality: 8 },
    audio: { enabled: false, enabled_in_config: false },
    birdseye: { enabled: false, mode: 'objects' },
    onvif: { host: '', autotracking: { enabled: false, enabled_in_config: false } },
    mqtt: { enabled: true },
    ui: { order, dashboard: true },
    ffmpeg: { inputs: [] },
  };
}
